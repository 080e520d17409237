import {
  compareEventIds,
  digestInBase64,
  type EventPage,
  type GetEventsRequest,
  type StoredEventRecord,
  writeCursor,
} from '@forecourt/contracts';
import { compileCriterion, describeEvent } from '@forecourt/event-matching';
import { JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { createCallNode, type NodeOptions } from '../call-node.js';
import { estimateRecordBytes } from '../estimate-record-bytes.js';
import type { EventSource } from '../event-source.js';
import { QueryTooExpensive } from '../node-calls.js';
import { type NodeSession, SERVICE_SESSION } from '../node-session.js';
import { Checkpoints, createCheckpointCache } from './checkpoints.js';
import { CandidateFinder } from './find-candidates.js';
import { followCheckpoints } from './follow-checkpoints.js';
import { createTransactionCache, Transactions } from './transactions.js';

export interface IotaSourceOptions extends NodeOptions {
  /** How long one query may scan what the node has no index for; default 30 s. */
  readonly searchMs?: number;
}

/** A node that speaks the current IOTA dialect. Its transactions are converted to the events of the legacy dialect, with ids. */
export function createIotaSource(options: IotaSourceOptions): EventSource {
  const { url, timeoutMs, searchMs = 30_000 } = options;
  const callFor = createCallNode(options);
  const checkpointCache = createCheckpointCache();
  const transactionCache = createTransactionCache();
  const open = (session: NodeSession) => {
    const call = callFor(session);
    const checkpoints = new Checkpoints(call, checkpointCache);
    const transactions = new Transactions(call, checkpoints, transactionCache);
    return { checkpoints, transactions, call };
  };
  const { checkpoints, transactions } = open(SERVICE_SESSION);

  async function getEvents(request: GetEventsRequest, session: NodeSession): Promise<EventPage> {
    const { criterion, cursor, limit, descending } = request;
    const node = open(session);
    const candidates = new CandidateFinder(node.call, node.checkpoints, node.transactions);
    let bytes = 0;
    const matches = compileCriterion(criterion);
    const found: StoredEventRecord[] = [];
    const deadline = performance.now() + searchMs;
    for await (const page of candidates.find({ criterion, cursor, descending })) {
      for (const records of page) {
        for (const record of descending ? records.toReversed() : records) {
          const fromCursor = cursor === null ? 0 : compareEventIds(record.id, cursor);
          if (descending ? fromCursor > 0 : fromCursor < 0) continue;
          if (!matches(record, describeEvent(record.event))) continue;
          if (found.length === limit) return { data: found, nextCursor: writeCursor(record.id) };
          found.push(record);
          const size = estimateRecordBytes(record);
          session.addMemory(size);
          bytes += size;
          if (bytes > session.maxResponseBytes) throw tooBig(found.length);
        }
      }
      if (performance.now() > deadline) throw tooWide(criterion.key);
    }
    return { data: found, nextCursor: null };
  }

  return {
    name: `iota ${new URL(url).host}`,
    getEvents,
    follow: (from, signal) =>
      followCheckpoints(from, signal, { url, timeoutMs, checkpoints, transactions }),

    async newest() {
      const latest = await checkpoints.get(await checkpoints.latest());
      const [records] = await transactions.inCheckpoints([latest], true);
      return records?.at(-1) ?? null;
    },

    latestCheckpoint: () => checkpoints.latest(),

    async ledgerIdentity() {
      const [genesis] = (await checkpoints.get(0)).transactions;
      return genesis === undefined ? null : digestInBase64(genesis);
    },
  };
}

function tooBig(count: number): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.responseTooBig,
    `Response is too big: request fewer than ${count} events`,
  );
}

function tooWide(criterion: string): JsonRpcError {
  return new QueryTooExpensive(
    `Query took too long: the ledger node has no index for the criterion ${criterion}; use TimeRange or Sender`,
  );
}
