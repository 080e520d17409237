import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '@forecourt/testing/system';
import type { TestSystem } from '../../support/test-system.js';

/** The processes that are killed without warning. */
export type Victim =
  | { readonly kind: 'replica'; readonly app: App; readonly index: number }
  | { readonly kind: 'executors' }
  /** Redis restarts from its file `downMs` later. */
  | { readonly kind: 'Redis'; readonly downMs: number };

/** The delay of a typical supervisor. */
const START_AGAIN_MS = 500;

export function nameVictim(victim: Victim): string {
  if (victim.kind === 'replica') return `one ${victim.app}`;
  return victim.kind === 'executors' ? 'all executors' : 'Redis';
}

/** Sends SIGKILL now. Resolves when all victims run again, and services are ready. */
export function killOnce(system: TestSystem, victim: Victim): Promise<unknown> {
  if (victim.kind === 'Redis') return restartRedis(system, victim.downMs);
  const killed =
    victim.kind === 'executors'
      ? system.services('executor')
      : [system.services(victim.app)[victim.index]!];
  return Promise.all(
    killed.map(async (service) => {
      service.kill('SIGKILL');
      await service.exited();
      await delay(START_AGAIN_MS);
      await service.start();
    }),
  );
}

async function restartRedis(system: TestSystem, downMs: number): Promise<void> {
  await system.stopRedis();
  await delay(downMs);
  await system.startRedis();
}
