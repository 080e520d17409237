import { setTimeout as sleep } from 'node:timers/promises';
import { compareEventIds, type EventId, type StoredEventRecord } from '@forecourt/contracts';
import { subscribeAtNode } from '../node-subscription.js';
import type { Checkpoints } from './checkpoints.js';
import type { Transactions } from './transactions.js';
import { WakeSignal } from './wake-signal.js';

const POLL_MS = 250;
const RESUBSCRIBE_MS = 2_000;

export interface FollowedNode {
  readonly url: string;
  readonly timeoutMs: number;
  readonly checkpoints: Checkpoints;
  readonly transactions: Transactions;
}

/**
 * Reads checkpoint after checkpoint, from the one that contains `from`. The node's subscription to Move events only signals
 * that there is something to read; a poll finds what it misses and checkpoints without Move events. Throws what reading throws.
 */
export async function* followCheckpoints(
  from: EventId,
  signal: AbortSignal,
  node: FollowedNode,
): AsyncGenerator<readonly StoredEventRecord[]> {
  const { checkpoints, transactions } = node;
  const wake = new WakeSignal();
  const ended = new AbortController();
  void wakeOnEvents(wake, node, AbortSignal.any([signal, ended.signal]));
  try {
    let next = (await checkpoints.containing(from.txSeq)) ?? (await checkpoints.latest()) + 1;
    let hasCaughtUp = false;
    while (!signal.aborted) {
      if (next <= (await checkpoints.latest())) {
        for await (const page of checkpoints.from(next, false)) {
          const records = (await transactions.inCheckpoints(page)).flat();
          yield records.filter(({ id }) => compareEventIds(id, from) >= 0);
          next = Number(page.at(-1)!.sequenceNumber) + 1;
        }
        continue;
      }
      if (!hasCaughtUp) yield [];
      hasCaughtUp = true;
      await wake.wait(POLL_MS);
    }
  } finally {
    ended.abort();
  }
}

/** Raises `wake` with every Move event until `signal` aborts. */
async function wakeOnEvents(
  wake: WakeSignal,
  node: FollowedNode,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { ended } = await subscribeAtNode({
        url: node.url,
        method: 'iotax_subscribeEvent',
        params: [{ All: [] }],
        timeoutMs: node.timeoutMs,
        signal,
        onResult: () => wake.raise(),
      });
      await ended;
    } catch {
      // Polling continues meanwhile.
      await sleep(RESUBSCRIBE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
