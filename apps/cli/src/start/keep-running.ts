import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '@forecourt/testing/system';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A service that has run so long is started again after the first pause. */
const STEADY_MS = 60_000;

export interface KeepRunningOptions {
  readonly say: (text: string) => void;
  readonly stop: AbortSignal;
  readonly firstPauseMs?: number;
}

/**
 * Starts a service again whenever it ends by itself, until `stop` aborts. The pause before doubles while the
 * service keeps ending.
 */
export async function keepRunning(
  service: ServiceProcess,
  { say, stop, firstPauseMs = FIRST_PAUSE_MS }: KeepRunningOptions,
): Promise<void> {
  const { name, options } = service;
  let pauseMs = firstPauseMs;
  for (;;) {
    const since = performance.now();
    await service.exited();
    if (stop.aborted) return;
    if (performance.now() - since > STEADY_MS) pauseMs = firstPauseMs;
    const seconds = pauseMs / 1_000;
    say(
      `${name} has ended unexpectedly, starts again in ${seconds} s; its log is ${options.logFile}`,
    );
    await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    service.launch();
    // Its end is noticed above.
    void service.ready().then(
      () => say(`${name} runs again`),
      () => undefined,
    );
  }
}
