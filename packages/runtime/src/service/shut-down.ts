import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from './logger.js';
import { ServiceState } from './service-state.js';

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
 * Ends the process with 0: readiness goes off, balancers have time to react, one application after the other
 * closes its listener and finishes its requests in flight. Connections with an unanswered request are cut
 * shortly before the end. Ends with 1 when that takes too long.
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
