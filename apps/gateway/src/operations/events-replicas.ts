import { Inject, Injectable } from '@nestjs/common';
import { AnnouncedReplica, readJsonDto } from '@forecourt/contracts';
import type { FleetProblem, FleetReplica } from '@forecourt/contracts/http';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

const TIMEOUT_MS = 1_000;

interface EventsFleet {
  readonly replicas: readonly FleetReplica[];
  /** Endpoints that do not answer. */
  readonly problems: readonly FleetProblem[];
}

/** Lists the replicas of the events service, which have no Redis to announce themselves in. */
@Injectable()
export class EventsReplicas {
  constructor(@Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig) {}

  /** One replica for each configured endpoint, even if several replicas share it. */
  async list(): Promise<EventsFleet> {
    const replicas: FleetReplica[] = [];
    const problems: FleetProblem[] = [];
    await Promise.all(
      this.config.eventsEndpoints.map(async ({ host, port }) => {
        try {
          replicas.push(await ask(`http://${host}:${port}/health/replica`));
        } catch (error) {
          const reason = ((error as Error).cause as Error | undefined)?.message ?? String(error);
          const message = `${host}:${port} does not answer: ${reason}`;
          problems.push({ part: 'events', message });
        }
      }),
    );
    return { replicas, problems };
  }
}

async function ask(url: string): Promise<FleetReplica> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`it answers with status ${response.status}`);
  const { service, id, version, startedAt } = readJsonDto(AnnouncedReplica, await response.text());
  return {
    service,
    id,
    version,
    started_at: startedAt,
    seen_at: Date.now(),
    access_version: null,
  };
}
