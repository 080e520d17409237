import {
  compareEventIds,
  digestInBase64,
  type EventCriterion,
  type EventId,
  type EventPage,
  type GetEventsRequest,
  JsonRpcCode,
  JsonRpcError,
  nextEventId,
  previousEventId,
  type StoredEventRecord,
} from '@forecourt/contracts';
import { compileCriterion } from '../../event-matching/event-criteria.js';
import { describeEvent } from '../../event-matching/event-traits.js';
import { GrpcNode } from '@forecourt/ledger';
import { estimateRecordBytes, type EventSource } from '../event-source.js';
import { CheckpointChain } from '../checkpoint-chain.js';
import { ChainBroken } from '../chain-broken.js';
import { createNodeClient, type NodeOptions } from '../call-node.js';
import { type NodeSession, SERVICE_SESSION } from '../node-calls.js';
import { QueryTooExpensive } from '../query-too-expensive.js';
import { UnsupportedByUpstream } from '../unsupported-by-upstream.js';
import { Checkpoints, createKnownCheckpoints } from './checkpoints.js';
import { firstTxSeq, linkOf } from './derive-records.js';
import { createKnownPlaces, createTransactionCache, Transactions } from './transactions.js';
import { CandidateFinder, type KnownFilters } from './candidate-finder.js';
import { Walk } from './walk.js';
import { followCheckpoints, followStream } from './follow-checkpoints.js';

interface IotaSourceOptions extends NodeOptions {
  /** Time limit of the search of one query; default 30 s. */
  readonly searchMs?: number;
}

/**
 * A node that speaks the current IOTA dialect over JSON-RPC or gRPC. Its transactions are converted to the
 * events of the legacy dialect, with ids. Over gRPC it streams checkpoints, and has no indexes for queries.
 */
export function createIotaSource(
  options: IotaSourceOptions,
  dialect: 'iota' | 'grpc' = 'iota',
): EventSource {
  const { url, headers, onFault, searchMs = 30_000 } = options;
  const { host } = new URL(url);
  const grpc = dialect === 'grpc' ? new GrpcNode({ url, headers }) : undefined;
  const clientOf = createNodeClient(options, grpc);
  const known = createKnownCheckpoints();
  const places = createKnownPlaces();
  const transactionCache = createTransactionCache();
  const filters: KnownFilters = new Map();
  const open = (session: NodeSession) => {
    const client = clientOf(session);
    const checkpoints = new Checkpoints(client, known);
    const transactions = new Transactions(client, checkpoints, transactionCache);
    return { client, checkpoints, transactions, places, filters };
  };
  const { checkpoints, transactions, client } = open(SERVICE_SESSION);

  let identified: string | null = null;

  /** Called when the ledger behind the URL has changed, or may have. */
  const forgetEverything = () => {
    known.sealed.clear();
    known.epochStarts.clear();
    known.ends.clear();
    known.lowest = null;
    places.clear();
    filters.clear();
    transactionCache.clear();
  };

  const report = (error: unknown) => {
    // The known checkpoints may be of several ledgers.
    if (error instanceof ChainBroken) forgetEverything();
    if (!(error instanceof UnsupportedByUpstream)) return;
    // These are not faults: the node reports the limits of its data.
    if (error.kind === 'pruned' || error.kind === 'unanswerable') return;
    onFault({ kind: error.kind, host, message: error.message });
  };

  async function getEvents(request: GetEventsRequest, session: NodeSession): Promise<EventPage> {
    const { criterion, cursor, limit, descending } = request;
    const finder = new CandidateFinder(open(session));
    let bytes = 0;
    const matches = compileCriterion(criterion);
    const events: StoredEventRecord[] = [];
    const deadline = performance.now() + searchMs;
    const walk = new Walk(describeCriterion(criterion), searchMs);
    try {
      for await (const page of finder.find({ criterion, cursor, descending }, walk)) {
        for (const records of page) {
          for (const record of descending ? records.toReversed() : records) {
            const fromCursor = cursor === null ? 0 : compareEventIds(record.id, cursor);
            if (descending ? fromCursor > 0 : fromCursor < 0) continue;
            if (!matches(record, describeEvent(record.event))) continue;
            if (events.length === limit) return { data: events, nextCursor: record.id };
            events.push(record);
            const size = estimateRecordBytes(record);
            session.addMemory(size);
            bytes += size;
            if (bytes > session.maxResponseBytes) throw tooBig(events.length);
          }
        }
        if (performance.now() > deadline) throw tooWide(criterion.key);
        walk.judge(events.length, limit);
      }
    } catch (error) {
      report(error);
      const next = nextTo(events.at(-1)?.id, descending);
      if (!(error instanceof UnsupportedByUpstream) || next === null) throw error;
      // This page contains the events before the gap; the next page begins with the gap, and fails.
      return { data: events, nextCursor: next };
    }
    return { data: events, nextCursor: null };
  }

  async function* follow(from: EventId, signal: AbortSignal, chain = new CheckpointChain(null)) {
    try {
      yield* grpc
        ? followStream(from, signal, { grpc, checkpoints, transactions, known }, chain)
        : followCheckpoints(from, signal, { options, checkpoints, transactions }, chain);
    } catch (error) {
      report(error);
      throw error;
    }
  }

  return {
    name: `${dialect} ${host}`,
    getEvents,
    follow,

    async *checkpoints(first, last) {
      try {
        const range = { first, last, descending: last < first };
        for await (const page of checkpoints.range(range)) yield page.map(linkOf);
      } catch (error) {
        report(error);
        throw error;
      }
    },

    async newest() {
      const latest = await checkpoints.get(await checkpoints.latest());
      const scope = { onlyLast: true, withEmpty: true };
      const { records, failure } = await transactions.inCheckpoints([latest], scope);
      report(failure);
      if (failure) throw failure;
      return records[0]?.at(-1) ?? null;
    },

    latestCheckpoint: () => checkpoints.latest(),
    lowestCheckpoint: () => checkpoints.lowest(),
    firstTransactionOf: async (checkpoint) => firstTxSeq(await checkpoints.get(checkpoint)),

    async ledgerIdentity() {
      const chainIdentifier = await client.getChainIdentifier();
      if (identified !== null && chainIdentifier !== identified) forgetEverything();
      identified = chainIdentifier;
      return { chainIdentifier, genesisTransaction: await findGenesisTransaction(checkpoints) };
    },
  };
}

function describeCriterion(criterion: EventCriterion): string {
  return criterion.key === 'EventType' ? `EventType ${criterion.value}` : criterion.key;
}

function nextTo(id: EventId | undefined, descending: boolean): EventId | null {
  if (id === undefined) return null;
  return descending ? previousEventId(id) : nextEventId(id);
}

function tooBig(count: number): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.responseTooBig,
    `Response is too big: request fewer than ${count} events`,
  );
}

function tooWide(criterion: string): QueryTooExpensive {
  return new QueryTooExpensive(
    `Query took too long: the ledger node has no index that finds events by ${criterion} fast enough; query a narrower TimeRange, or by Sender`,
  );
}

/** The identity of a node of the legacy dialect; null if the node has pruned it. */
async function findGenesisTransaction(checkpoints: Checkpoints): Promise<string | null> {
  try {
    const [genesis] = (await checkpoints.get(0)).transactions;
    return genesis === undefined ? null : digestInBase64(genesis);
  } catch (error) {
    if (error instanceof UnsupportedByUpstream) return null;
    throw error;
  }
}
