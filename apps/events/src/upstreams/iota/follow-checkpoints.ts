import { setTimeout as sleep } from 'node:timers/promises';
import { compareEventIds, type EventId, type StoredEventRecord } from '@forecourt/contracts';
import { subscribeAtNode } from '../node-subscription.js';
import { socketUrl } from '../socket-url.js';
import type { Checkpoints } from './checkpoints.js';
import type { Transactions } from './transactions.js';

const POLL_MS = 250;
const RING_AGAIN_MS = 2_000;

export interface FollowedNode {
  readonly url: string;
  readonly timeoutMs: number;
  readonly checkpoints: Checkpoints;
  readonly transactions: Transactions;
}

/**
 * Reads checkpoint after checkpoint, from the one that holds `from`. The node's own subscription to Move events is only
 * the bell that there is something to read: what it misses, and what is no Move event, a poll finds a little later.
 */
export async function* followCheckpoints(
  from: EventId,
  signal: AbortSignal,
  node: FollowedNode,
): AsyncGenerator<readonly StoredEventRecord[]> {
  const { checkpoints, transactions } = node;
  const bell = new Bell();
  const ended = new AbortController();
  void keepRinging(bell, node, AbortSignal.any([signal, ended.signal]));
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
      await bell.rung(POLL_MS);
    }
  } finally {
    ended.abort();
  }
}

/** Wakes the one who waits; a ring while nobody does is kept for the next. */
class Bell {
  #hasRung = false;
  #wake: () => void = () => undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake();
  }

  /** Until it rings, at latest after `ms`. */
  async rung(ms: number): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#hasRung = false;
  }
}

async function keepRinging(bell: Bell, node: FollowedNode, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const { over } = await subscribeAtNode({
        url: socketUrl(node.url),
        method: 'iotax_subscribeEvent',
        params: [{ All: [] }],
        timeoutMs: node.timeoutMs,
        signal,
        onResult: () => bell.ring(),
      });
      await over;
    } catch {
      // Polling goes on meanwhile.
      await sleep(RING_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
