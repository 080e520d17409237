import { setTimeout as sleep } from 'node:timers/promises';
import { compareEventIds, type EventId, type StoredEventRecord } from '@forecourt/contracts';
import type { GrpcNode, NodeCheckpoint } from '@forecourt/ledger';
import { untilTick } from '@forecourt/resilience';
import type { CheckpointChain } from '../checkpoint-chain.js';
import { type NodeOptions, upstreamError } from '../call-node.js';
import { subscribeAtNode } from '../subscribe-at-node.js';
import { TransactionInconvertible } from '../transaction-inconvertible.js';
import { UnsupportedByUpstream } from '../unsupported-by-upstream.js';
import { isNotFound, isUnreadable } from '../node-refused.js';
import { UpstreamFailed } from '../upstream-failed.js';
import { type Checkpoints, checkNeighbours, type KnownCheckpoints } from './checkpoints.js';
import { endOf, linkOf, firstTxSeq, type NodeTransaction } from './derive-records.js';
import { SHOWN, type Transactions, readRecords } from './transactions.js';

const POLL_MS = 250;
const RESUBSCRIBE_MS = 2_000;
/** Behind a balancer, one node may announce a checkpoint that the next one does not have yet. */
const LAG_MS = 5_000;

interface FollowedNode {
  readonly options: Pick<NodeOptions, 'url' | 'headers' | 'timeoutMs'>;
  readonly checkpoints: Checkpoints;
  readonly transactions: Transactions;
}

/**
 * Reads checkpoint after checkpoint, from the one that contains `from`, as long as they continue `chain`. The
 * node's subscription to Move events signals only when to read; polling finds the checkpoints that it misses,
 * and those without Move events. Throws the errors of reading: `UnsupportedByUpstream` at a checkpoint
 * or transaction that the node does not have, after all earlier ones.
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
    // While the node lags behind, its newest checkpoint cannot be the start: the node may catch up before the
    // next call.
    while (first === null) {
      yield [];
      await wake.wait(untilTick(POLL_MS));
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
          const { records, failure, complete } = await transactions.inCheckpoints(page, {
            startTxSeq: from.txSeq,
            withEmpty: true,
          });
          yield records.flat().filter(({ id }) => compareEventIds(id, from) >= 0);
          for (const checkpoint of page.slice(0, complete)) chain.delivered(linkOf(checkpoint));
          if (failure) throw failure;
          next += page.length;
          missingSince = null;
        }
      } catch (error) {
        missingSince ??= performance.now();
        const isLagging =
          error instanceof UnsupportedByUpstream &&
          error.kind === 'gap' &&
          performance.now() - missingSince < LAG_MS;
        if (!isLagging) throw error;
      }
      if (next > before) continue;
      if (!hasCaughtUp) yield [];
      hasCaughtUp = true;
      await wake.wait(untilTick(POLL_MS));
    }
  } finally {
    ended.abort();
  }
}

/** The number of the checkpoint after the chain; null: the chain does not tell where to begin. */
function numberAfter({ last }: CheckpointChain): number | null {
  return last && last.number + 1;
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
class WakeSignal {
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

const STREAM = 'StreamCheckpoints';

interface StreamedNode {
  readonly grpc: Pick<GrpcNode, 'streamCheckpoints'>;
  readonly checkpoints: Checkpoints;
  readonly transactions: Transactions;
  readonly known: KnownCheckpoints;
}

/**
 * A checkpoint and its events from the beginning on, up to the first transaction that the node cannot show.
 */
interface ReadCheckpoint {
  readonly checkpoint: NodeCheckpoint;
  readonly records: readonly StoredEventRecord[];
  readonly failure: UnsupportedByUpstream | null;
}

/**
 * The events of every checkpoint from the one that contains `from`, as long as they continue `chain`, out of
 * one stream, which carries everything that events are derived from. Throws `UnsupportedByUpstream` at a
 * checkpoint that the node does not have, naming the lowest that it has, or at a transaction that it cannot
 * show, after all earlier ones.
 */
export async function* followStream(
  from: EventId,
  signal: AbortSignal,
  node: StreamedNode,
  chain: CheckpointChain,
): AsyncGenerator<readonly StoredEventRecord[]> {
  const { checkpoints, known } = node;
  const first = numberAfter(chain) ?? (await findStart(from, checkpoints));
  let before: NodeCheckpoint | null = null;
  yield [];
  for await (const { checkpoint, records, failure } of readFrom(first, from, signal, node)) {
    const link = linkOf(checkpoint);
    chain.link([link]);
    if (before) checkNeighbours(before, checkpoint, 1);
    known.sealed.set(link.number, checkpoint);
    yield records;
    if (failure) throw failure;
    chain.delivered(link);
    before = checkpoint;
  }
}

async function* readFrom(
  first: number,
  from: EventId,
  signal: AbortSignal,
  node: StreamedNode,
): AsyncGenerator<ReadCheckpoint> {
  const { grpc, checkpoints } = node;
  let next = first;
  while (!signal.aborted) {
    try {
      for await (const message of grpc.streamCheckpoints(next, SHOWN, signal)) {
        const { checkpoint } = message;
        if (Number(checkpoint.sequenceNumber) !== next) {
          const reason = `the stream continues with ${checkpoint.sequenceNumber}`;
          throw await checkpoints.whyAbsent(next, reason);
        }
        yield await convert(message.transactions as NodeTransaction[], checkpoint, from, node);
        next += 1;
      }
    } catch (error) {
      const refusal = upstreamError(error, STREAM);
      if (isNotFound(refusal)) throw await checkpoints.whyAbsent(next, refusal.message);
      if (!isUnreadable(refusal)) throw refusal;
      yield await readRefused(next, from, node, refusal);
      next += 1;
      continue;
    }
    if (!signal.aborted) throw new UpstreamFailed('the ledger node has ended the stream');
  }
}

/**
 * A checkpoint that the node refuses to stream because of one of its transactions, which may be too large:
 * its transactions, read by their digests. Throws the refusal if the node has no such checkpoint yet.
 */
async function readRefused(
  number: number,
  from: EventId,
  node: StreamedNode,
  refusal: UpstreamFailed,
): Promise<ReadCheckpoint> {
  const { checkpoints } = node;
  if (number > (await checkpoints.latest())) throw refusal;
  return readParts(await checkpoints.get(number), from, node);
}

/** Reads a checkpoint with the node's other calls. */
async function readParts(
  checkpoint: NodeCheckpoint,
  from: EventId,
  { transactions }: StreamedNode,
): Promise<ReadCheckpoint> {
  const { records, failure } = await transactions.inCheckpoints([checkpoint], {
    startTxSeq: from.txSeq,
    withEmpty: true,
  });
  const remaining = records.flat().filter(({ id }) => compareEventIds(id, from) >= 0);
  return { checkpoint, records: remaining, failure };
}

/** The number of the checkpoint that contains `from`. */
async function findStart({ txSeq }: EventId, checkpoints: Checkpoints): Promise<number> {
  // Read first: no checkpoint may contain the transaction yet.
  const latest = await checkpoints.latest();
  return (await checkpoints.containing(txSeq)) ?? latest;
}

/** The events from `from` on, up to the first transaction that the node cannot show. */
async function convert(
  transactions: readonly NodeTransaction[],
  checkpoint: NodeCheckpoint,
  from: EventId,
  node: StreamedNode,
): Promise<ReadCheckpoint> {
  if (transactions.length === 0) return readParts(checkpoint, from, node);
  const first = firstTxSeq(checkpoint);
  const records: StoredEventRecord[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const txSeq = first + index;
    if (txSeq < from.txSeq) continue;
    const events = readRecords({ checkpoint }, transaction);
    if ('reason' in events) {
      const failure = new TransactionInconvertible(transaction.digest, txSeq, events.reason);
      return { checkpoint, records, failure };
    }
    records.push(...events.filter(({ id }) => compareEventIds(id, from) >= 0));
    const end = endOf(events);
    if (end !== null) node.known.ends.set(txSeq + 1, end);
  }
  return { checkpoint, records, failure: null };
}
