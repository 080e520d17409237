import { setTimeout as delay } from 'node:timers/promises';
import { type IndexParts, readLedger } from '@forecourt/events/event-index';
import { say } from '../run-benchmark.js';
import { criteria, readPage } from './bench-index-pages.js';
import type { SampleNode } from './sample-node.js';

const LOOK_EVERY_MS = 200;
const SAY_EVERY_MS = 15_000;

/**
 * Writes the ledger up to a checkpoint while one client queries. Returns the events written and the seconds.
 */
export async function fillIndex(
  parts: IndexParts,
  node: SampleNode,
  checkpoints: number,
): Promise<{ readonly events: number; readonly seconds: number }> {
  const before = parts.progress.written.live;
  const began = performance.now();
  let saidAt = began;
  node.latest = checkpoints - 1;
  const querying = new AbortController();
  const queried = queryAll(parts, checkpoints, querying.signal);
  while ((await endOf(parts)) < checkpoints) {
    await delay(LOOK_EVERY_MS);
    if (performance.now() - saidAt < SAY_EVERY_MS) continue;
    saidAt = performance.now();
    const written = parts.progress.written.live;
    const rate = (written - before) / ((saidAt - began) / 1_000);
    say(`${written} events, ${Math.round(rate)} per second …`);
  }
  const seconds = (performance.now() - began) / 1_000;
  querying.abort();
  await queried;
  return { events: parts.progress.written.live - before, seconds };
}

/** Pages of every criterion, one after another, as long as `signal` lasts. */
async function queryAll(
  { queries }: IndexParts,
  checkpoints: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const [, criterion] of criteria(checkpoints)) {
      const query = { criterion, cursor: null, limit: 50, descending: true };
      await readPage(queries, query).catch(() => undefined);
      await delay(20);
      if (signal.aborted) return;
    }
  }
}

/** Waits for the first checkpoint: what the node gets later is written as new events. */
export async function untilBegun(parts: IndexParts): Promise<void> {
  while ((await endOf(parts)) === 0) await delay(LOOK_EVERY_MS);
}

async function endOf({ database }: IndexParts): Promise<number> {
  const ledger = await readLedger(database.primary.pool).catch(() => null);
  return ledger?.end.checkpoint ?? 0;
}
