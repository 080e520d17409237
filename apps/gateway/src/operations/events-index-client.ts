import { Inject, Injectable } from '@nestjs/common';
import {
  type CheckpointRange,
  type ErrorMessage,
  EVENTS_INDEX_PATHS,
  ForecourtError,
} from '@forecourt/contracts';
import type { EventsIndex } from '@forecourt/contracts/http';
import { FLEET_PROOF_HEADER, proveFleet } from '@forecourt/runtime/fleet-proof';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

/** An earlier beginning of the index needs an answer of a node, which may be slow. */
const TIMEOUT_MS = 20_000;

type Endpoint = GatewayConfig['eventsEndpoints'][number];

/** The result of the events service, or its error for the caller. */
interface Answer {
  readonly result?: unknown;
  readonly error?: ErrorMessage;
  /** Why nothing has answered. */
  readonly cause?: unknown;
}

/**
 * Asks the events service about the index of events. All throw EVENTS_INDEX_OFF without one, and
 * EVENTS_UNREACHABLE.
 */
@Injectable()
export class EventsIndexClient {
  constructor(
    @Inject(GATEWAY_CONFIG)
    private readonly config: GatewayConfig,
  ) {}

  read(): Promise<EventsIndex> {
    return this.ask(EVENTS_INDEX_PATHS.state);
  }

  /** Throws INVALID_REQUEST, LEDGER_UNREACHABLE. */
  backfill(range: CheckpointRange): Promise<EventsIndex> {
    return this.ask(EVENTS_INDEX_PATHS.backfill, range);
  }

  /** The answer of the first replica that has an index: all share one. */
  private async ask(path: string, body?: CheckpointRange): Promise<EventsIndex> {
    let unreachable: ForecourtError | null = null;
    const { eventsEndpoints, fleetSecrets } = this.config;
    for (const endpoint of eventsEndpoints) {
      const { result, error, cause } = await send(endpoint, path, body, fleetSecrets[0]);
      if (error === undefined) return result as EventsIndex;
      const failure = new ForecourtError(error.code, error.detail, { cause });
      if (failure.code === 'EVENTS_UNREACHABLE') unreachable = failure;
      else if (failure.code !== 'EVENTS_INDEX_OFF') throw failure;
    }
    throw unreachable ?? new ForecourtError('EVENTS_INDEX_OFF');
  }
}

/** Never rejects. */
async function send(
  { host, port }: Endpoint,
  path: string,
  body: CheckpointRange | undefined,
  secret: string | undefined,
): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST';
  try {
    const response = await fetch(`http://${host}:${port}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(secret !== undefined && {
          [FLEET_PROOF_HEADER]: proveFleet(secret, { method, path, body }),
        }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 404) return { error: { code: 'EVENTS_INDEX_OFF', detail: '' } };
    if (!response.ok) throw new Error(`the events service answers with status ${response.status}`);
    return (await response.json()) as Answer;
  } catch (cause) {
    return { error: { code: 'EVENTS_UNREACHABLE', detail: '' }, cause };
  }
}
