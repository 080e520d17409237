import { setTimeout as delay } from 'node:timers/promises';
import type { ComposeProject } from './compose-project.js';
import type { SponsoredLoad } from './sponsored-load.js';

/** Groups of containers that die together. */
const VICTIMS: readonly (readonly string[])[] = [
  ['executor-1'],
  ['coin-pool-1'],
  ['gateway-1'],
  ['redis-1'],
  ['executor-1', 'executor-2', 'executor-3'],
  ['redis-1', 'coin-pool-1'],
];
/** Time between the kill and the restart. */
const AWAY_MS = 1_000;
/** Longer than the suspension that follows when Redis and coin-pool die together. */
const SERVED_MS = 120_000;

export interface Kill {
  readonly names: readonly string[];
  /** From the start until every container is healthy, in ms. */
  readonly healthyMs: number;
  /** From the kill until a transaction that was requested after it was executed, in ms; null: too long. */
  readonly servedMs: number | null;
}

/** Kills containers under load and restarts them, in turn, for `seconds` and each at least once. */
export async function killContainers(
  project: ComposeProject,
  load: SponsoredLoad,
  seconds: number,
  say: (text: string) => void,
): Promise<{ readonly kills: readonly Kill[]; readonly surprises: readonly string[] }> {
  const kills: Kill[] = [];
  const surprises: string[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  const pauseMs = (seconds * 1_000) / (2 * VICTIMS.length);
  for (let turn = 0; turn < VICTIMS.length || performance.now() < endsAt; turn++) {
    const names = VICTIMS[turn % VICTIMS.length]!;
    await delay(pauseMs);
    const containers = await project.containers();
    // A manual start resets the count.
    surprises.push(...endedByThemselves(containers));
    const victims = containers.filter(({ name }) => names.includes(name));
    if (victims.length !== names.length) throw new Error(`not all of ${names.join(', ')} exist`);
    await project.kill(victims);
    const served = load.untilServed(SERVED_MS);
    await delay(AWAY_MS);
    const startedAt = performance.now();
    await project.up();
    const healthyMs = performance.now() - startedAt;
    const [first, again] = [await served, await load.untilServed(SERVED_MS)];
    const servedMs = again === null ? null : first;
    kills.push({ names, healthyMs, servedMs });
    say(`killed ${names.join(' and ')}: ${describe(kills.at(-1)!)}`);
  }
  return { kills, surprises };
}

/** Containers that the engine restarted, or that do not run, without a kill. */
export function endedByThemselves(
  containers: Awaited<ReturnType<ComposeProject['containers']>>,
): readonly string[] {
  return containers
    .filter(({ restarts, isRunning }) => restarts > 0 || !isRunning)
    .map(
      ({ name, restarts }) => `${name} ended without a kill and was restarted ${restarts} times`,
    );
}

function describe({ healthyMs, servedMs }: Kill): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const served =
    servedMs === null ? 'nothing was executed' : `executing after ${seconds(servedMs)}`;
  return `healthy after ${seconds(healthyMs)}, ${served}`;
}
