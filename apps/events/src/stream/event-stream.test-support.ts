import { afterEach } from '@jest/globals';
import type { EventId, StoredEventRecord } from '@forecourt/contracts';
import { createLogger } from '@forecourt/runtime/service';
import type { EventSource, LedgerIdentity } from '../upstreams/event-source.js';
import type { CheckpointChain } from '../upstreams/checkpoint-chain.js';
import type { LinkedCheckpoint, SealedCheckpoint } from '../upstreams/sealed-checkpoint.js';
import { Upstreams } from '../upstreams/upstreams.js';
import { EventStream } from './event-stream.js';

const logger = createLogger('test', 'fatal');
export const CHAIN = { chainIdentifier: '35834a8a', genesisTransaction: 'G' };

export const TIMES = { idleCheckMs: 5, lingerMs: 20 };

export const record = (txSeq: number): StoredEventRecord => ({
  timestamp: 1,
  txDigest: `D${txSeq}`,
  id: { txSeq, eventSeq: 0 },
  event: { checkpoint: txSeq },
});

/**
 * A source that delivers the result of its function for a position, then fails with the error that it throws,
 * or waits.
 */
export function createSource(
  name: string,
  deliver: (from: EventId) => { readonly records: StoredEventRecord[]; readonly error?: Error },
  identity: LedgerIdentity = CHAIN,
) {
  const source = {
    name,
    identity,
    connections: 0,
    /** The last checkpoint of each chain that a caller asked it to continue. */
    chains: [] as (SealedCheckpoint | null)[],
    getEvents: () => Promise.reject(new Error('not asked')),
    newest: async () => record(9),
    firstTransactionOf: async (checkpoint: number) => checkpoint,
    async *checkpoints(first: number): AsyncGenerator<LinkedCheckpoint[]> {
      const link = { number: first, digest: `${name}${first}`, previousDigest: null };
      yield [{ ...link, total: first + 1, lastTransaction: null, time: first }];
    },
    latestCheckpoint: async () => 9,
    lowestCheckpoint: async () => 4,
    ledgerIdentity: async () => source.identity,
    async *follow(from: EventId, signal: AbortSignal, chain?: CheckpointChain) {
      source.connections += 1;
      source.chains.push(chain?.last ?? null);
      const { records, error } = deliver(from);
      yield records;
      if (error) throw error;
      if (!signal.aborted) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      }
    },
  };
  return source satisfies EventSource;
}

let running: EventStream | null = null;

export function stopStreamAfterEachTest(): void {
  afterEach(() => running?.onApplicationShutdown());
}

/** Starts the stream, and resolves with the delivered events once there are `count` of them. */
export function startStream(...sources: EventSource[]) {
  const started = startIdleStream(...sources);
  started.stream.demand.hold();
  void started.stream.demand.raise();
  return started;
}

export function startIdleStream(...sources: EventSource[]) {
  const upstreams = new Upstreams(sources, logger);
  const stream = new EventStream(upstreams, logger, TIMES);
  running = stream;
  const delivered: number[] = [];
  const resets: string[] = [];
  const changed = new EventTarget();
  stream.onRecord((shared) => {
    delivered.push(shared.record.id.txSeq);
    changed.dispatchEvent(new Event('change'));
  });
  stream.onReset((reason) => {
    resets.push(reason);
    changed.dispatchEvent(new Event('change'));
  });
  const until = async (isReached: () => boolean) => {
    while (!isReached()) {
      await new Promise((resolve) => changed.addEventListener('change', resolve, { once: true }));
    }
  };
  stream.onApplicationBootstrap();
  return { stream, delivered, resets, until };
}
