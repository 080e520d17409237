import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '@forecourt/testing/system';
import type { TestSystem } from '../test-system.js';

/** What dies, without a word to anybody. */
export type Victim =
  | { readonly kind: 'replica'; readonly app: App; readonly index: number }
  | { readonly kind: 'executors' }
  /** It is started again from its file `downMs` later. */
  | { readonly kind: 'Redis'; readonly downMs: number };

/** As a supervisor would. */
const START_AGAIN_MS = 500;

export function nameVictim(victim: Victim): string {
  if (victim.kind === 'replica') return `one ${victim.app}`;
  return victim.kind === 'executors' ? 'all executors' : 'Redis';
}

/** SIGKILL, now. Resolves when all of it is started again, and services are ready. */
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
