import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from './logger.js';

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

export interface Shutdown {
  readonly app: NestFastifyApplication;
  readonly state: ServiceState;
  readonly logger: Logger;
  readonly signal: string;
  /** Duration of the drain, in ms: the service still serves with its readiness off. */
  readonly drainMs: number;
  /** Time limit of the requests in flight after the drain, in ms. */
  readonly shutdownMs: number;
}

/**
 * Ends the process with 0: readiness goes off, balancers have time to react, the listener closes, requests in
 * flight finish. Connections with an unanswered request are cut shortly before the end. Ends with 1 when that takes
 * too long.
 */
export async function shutDown(shutdown: Shutdown): Promise<void> {
  const { app, state, logger, signal, drainMs, shutdownMs } = shutdown;
  if (state.stopping) return;
  const endMs = drainMs + shutdownMs;
  state.answerBy = performance.now() + Math.max(drainMs, endMs - ANSWER_BEFORE_END_MS);
  state.stop();
  logger.info({ signal, drainMs }, 'Service stopping');
  after(endMs - CUT_BEFORE_END_MS, () => {
    logger.warn('Cutting connections that still hold a request: the shutdown deadline is near');
    app.getHttpServer().closeAllConnections();
    state.cutConnections();
  });
  after(endMs, () => {
    logger.warn({ shutdownMs }, 'Service stopped before all work in flight was finished');
    process.exit(1);
  });
  try {
    await delay(drainMs);
    await app.close();
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
