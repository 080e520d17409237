import { setTimeout as sleep } from 'node:timers/promises';
import { compareEventIds, type EventId, type StoredEventRecord } from '@forecourt/contracts';
import type { CheckpointChain } from '../event-source.js';
import type { NodeOptions } from '../call-node.js';
import { subscribeAtNode } from '../subscribe-at-node.js';
import { CheckpointMissing } from '../upstream-errors.js';
import type { Checkpoints } from './checkpoints.js';
import { linkOf } from './derive-records.js';
import type { NodeCheckpoint } from './node-json.js';
import type { Transactions } from './transactions.js';

const POLL_MS = 250;
const RESUBSCRIBE_MS = 2_000;
/** Behind a balancer, one node may announce a checkpoint that the next one does not have yet. */
const LAG_MS = 5_000;

export interface FollowedNode {
  readonly options: Pick<NodeOptions, 'url' | 'headers' | 'timeoutMs'>;
  readonly checkpoints: Checkpoints;
  readonly transactions: Transactions;
}

/**
 * Reads checkpoint after checkpoint, from the one that contains `from`, as long as they continue `chain`. The node's subscription to Move events only
 * signals that there is something to read; polling finds missed ones, and checkpoints without Move events. Throws the
 * errors of reading: `UnsupportedByUpstream` at a checkpoint or transaction that the node does not have, after all earlier
 * ones.
 */
export async function* followCheckpoints(
  from: EventId,
  signal: AbortSignal,
  node: FollowedNode,
  chain: CheckpointChain,
): AsyncGenerator<readonly StoredEventRecord[]> {
  const { checkpoints, transactions } = node;
  const wake = new WakeSignal();
  const ended = new AbortController();
  void wakeOnEvents(wake, node, AbortSignal.any([signal, ended.signal]));
  let missingSince: number | null = null;
  try {
    let first = numberAfter(chain) ?? (await checkpoints.containing(from.txSeq));
    // While the node lags behind, its newest checkpoint cannot be the start: the node may catch up before the next
    // call.
    while (first === null) {
      yield [];
      await wake.wait(POLL_MS);
      if (signal.aborted) return;
      first = await checkpoints.containing(from.txSeq);
    }
    let next = first;
    let hasCaughtUp = false;
    while (!signal.aborted) {
      const before = next;
      try {
        const last = await checkpoints.latest();
        for await (const page of checkpoints.range({ first: next, last, descending: false })) {
          chain.link(page.map(linkOf));
          const { records, failure } = await transactions.inCheckpoints(page, {
            startTxSeq: from.txSeq,
          });
          yield records.flat().filter(({ id }) => compareEventIds(id, from) >= 0);
          noteDelivered(chain, page, from, records.length);
          if (failure) throw failure;
          next += page.length;
          missingSince = null;
        }
      } catch (error) {
        missingSince ??= performance.now();
        const isLagging =
          error instanceof CheckpointMissing && performance.now() - missingSince < LAG_MS;
        if (!isLagging) throw error;
      }
      if (next > before) continue;
      if (!hasCaughtUp) yield [];
      hasCaughtUp = true;
      await wake.wait(POLL_MS);
    }
  } finally {
    ended.abort();
  }
}

/** The number of the checkpoint after the chain; null: the chain does not tell where to begin. */
export function numberAfter({ last }: CheckpointChain): number | null {
  return last && last.number + 1;
}

/** Adds to the chain those checkpoints of a page whose transactions, from `from` on, are all among the `count` delivered ones. */
function noteDelivered(
  chain: CheckpointChain,
  page: readonly NodeCheckpoint[],
  from: EventId,
  count: number,
): void {
  let left = count;
  for (const checkpoint of page) {
    const link = linkOf(checkpoint);
    left -= Math.min(checkpoint.transactions.length, Math.max(0, link.total - from.txSeq));
    if (left < 0) return;
    chain.delivered(link);
  }
}

/** Raises `wake` with every Move event until `signal` aborts. */
async function wakeOnEvents(
  wake: WakeSignal,
  { options }: FollowedNode,
  signal: AbortSignal,
): Promise<void> {
  const { url, headers, timeoutMs } = options;
  while (!signal.aborted) {
    try {
      const { ended } = await subscribeAtNode({
        url,
        headers,
        method: 'iotax_subscribeEvent',
        params: [{ All: [] }],
        timeoutMs,
        signal,
        onResult: () => wake.raise(),
      });
      await ended;
    } catch {
      // Polling continues in the meantime.
      await sleep(RESUBSCRIBE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Wakes a waiting loop; if no loop waits, it wakes the next wait immediately. */
export class WakeSignal {
  #isRaised = false;
  #wake: () => void = () => undefined;

  raise(): void {
    this.#isRaised = true;
    this.#wake();
  }

  /** Resolves when the signal is raised, at the latest after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRaised) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isRaised = false;
  }
}
