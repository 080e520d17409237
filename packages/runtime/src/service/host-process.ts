import { getHeapStatistics } from 'node:v8';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionPlaces, countPlaces, ProcessorShares } from '@forecourt/admission';
import { FairShares } from '@forecourt/resilience';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, type Logger } from './logger.js';

/** Memory for the bodies of requests, as a part of the heap limit, and the part of it that one client may use. */
const BODY_MEMORY = 1 / 8;
const BODY_SHARE = 1 / 8;

/** The end of a process, and the bounds on what clients make it hold, for all services in it. */
export class HostProcess {
  readonly state = new ServiceState();
  /** Connections of all listeners. */
  readonly places = new ConnectionPlaces(countPlaces());
  /** Memory for the bodies of requests. */
  readonly bodies = new FairShares({
    total: getHeapStatistics().heap_size_limit * BODY_MEMORY,
    share: BODY_SHARE,
  });
  /** Processor time of clients. */
  readonly processor = new ProcessorShares();
  /** For Nest, which has one logger for all applications of a process. */
  readonly logger: ReturnType<typeof createLogger>;

  /** `name`: the service, or that of several services together. */
  constructor(name: string, logLevel: string) {
    this.logger = createLogger(name, logLevel);
  }
}

/** Whether the process is stopping; its readiness is off then. */
export class ServiceState {
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  /** By `performance.now()`: requests without an outcome at this time are answered without it. */
  answerBy = Infinity;

  get stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  stop(): void {
    this.#stop.abort();
  }

  /**
   * Calls `act` once, when the process receives its stop signal: before the listener closes, at the beginning of
   * the drain.
   */
  onStop(act: () => void): void {
    this.#stop.signal.addEventListener('abort', act, { once: true });
  }

  cutConnections(): void {
    this.#cut.abort();
  }

  /**
   * Calls `act` once, shortly before a stopping process must end: to cut connections with an unanswered request.
   */
  onCut(act: () => void): void {
    this.#cut.signal.addEventListener('abort', act, { once: true });
  }
}

/** Time before the end at which requests must be answered and connections with an unanswered one are cut. */
const ANSWER_BEFORE_END_MS = 5_000;
const CUT_BEFORE_END_MS = 2_000;

/** Time limit of a stopping process for its requests in flight after the drain, in ms. */
export const SHUTDOWN_MS = 20_000;

interface Shutdown {
  /** In the order in which they close. */
  readonly apps: readonly NestFastifyApplication[];
  readonly state: ServiceState;
  readonly logger: Logger;
  readonly signal: string;
  /** Duration of the drain, in ms: the process still serves with its readiness off. */
  readonly drainMs: number;
  /** Sends the last spans. */
  readonly endTracing: () => Promise<void>;
}

/**
 * Ends the process with 0: readiness goes off, balancers have time to react, one application after the other closes its
 * listener and finishes its requests in flight. Connections with an unanswered request are cut shortly before the end. Ends with 1 when that takes
 * too long.
 */
export async function shutDown(shutdown: Shutdown): Promise<void> {
  const { apps, state, logger, signal, drainMs, endTracing } = shutdown;
  if (state.stopping) return;
  const endMs = drainMs + SHUTDOWN_MS;
  state.answerBy = performance.now() + Math.max(drainMs, endMs - ANSWER_BEFORE_END_MS);
  state.stop();
  logger.info({ signal, drainMs }, 'Service stopping');
  after(endMs - CUT_BEFORE_END_MS, () => {
    logger.warn('Cutting connections that still hold a request: the shutdown deadline is near');
    for (const app of apps) app.getHttpServer().closeAllConnections();
    state.cutConnections();
  });
  after(endMs, () => {
    logger.warn(
      { shutdownMs: SHUTDOWN_MS },
      'Service stopped before all work in flight was finished',
    );
    process.exit(1);
  });
  try {
    await delay(drainMs);
    for (const app of apps) await app.close();
    await endTracing();
    logger.info('Service stopped');
    process.exit(0);
  } catch (error) {
    logger.error({ error }, 'Service shutdown failed');
    process.exit(1);
  }
}

function after(ms: number, act: () => void): void {
  setTimeout(act, Math.max(0, ms)).unref();
}
