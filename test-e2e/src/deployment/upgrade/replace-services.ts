import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceProcess } from '@forecourt/testing/system';
import type { Seen } from '../../support/steady-load.js';
import type { TestSystem } from '../../support/test-system.js';
import { phases, type Step } from './upgrade-steps.js';

/** The clones of both versions. */
export interface Clones {
  readonly old: string;
  readonly new: string;
}

interface Replacing {
  readonly system: Pick<TestSystem, 'services'>;
  readonly clones: Clones;
  readonly seen: Seen;
  /** Duration of the load after each replica, in ms. */
  readonly loadMs: number;
  readonly say: (text: string) => void;
}

/** Replaces every replica by the other version, one after the other: forward, back, and forward again. */
export async function replaceServices(replacing: Replacing): Promise<readonly Step[]> {
  const { system, clones, say } = replacing;
  const steps: Step[] = [];
  for (const { name, to, order } of phases) {
    say(`${name}: ${order.join(', ')}`);
    for (const service of order.flatMap((app) => system.services(app))) {
      const step = await replace(replacing, service, clones[to]);
      steps.push({ phase: name, ...step });
      say(
        `  ${service.name} ready after ${inSeconds(step.stopMs + step.readyMs)} s; ` +
          `${step.transactions} transactions, ${step.requests} asked to wait`,
      );
    }
  }
  return steps;
}

async function replace(
  { seen, loadMs }: Replacing,
  service: ServiceProcess,
  clone: string,
): Promise<Omit<Step, 'phase'>> {
  const before = count(seen);
  const stopping = performance.now();
  service.kill('SIGTERM');
  const exitCode = await service.exited();
  const stopped = performance.now();
  service.replaceBy(clone);
  await service.start();
  const ready = performance.now();
  await delay(loadMs);
  const after = count(seen);
  return {
    replica: service.name,
    exitCode,
    stopMs: stopped - stopping,
    readyMs: ready - stopped,
    transactions: after.transactions - before.transactions,
    repeated: after.repeated - before.repeated,
    pages: after.pages - before.pages,
    requests: after.requests - before.requests,
    refused: after.refused - before.refused,
    version: service.app === 'gateway' ? await readVersion(service.url) : null,
  };
}

function count({ executed, repeated, pages, requests, refused }: Seen) {
  const askedInAll = Object.values(requests).reduce((sum, times) => sum + times, 0);
  return { transactions: executed.length, repeated, pages, requests: askedInAll, refused };
}

async function readVersion(url: string): Promise<string> {
  const response = await fetch(`${url}/version`);
  return (await response.json()) as string;
}

/** Milliseconds as seconds, for human readers. */
export function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
