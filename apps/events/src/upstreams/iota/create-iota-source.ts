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
import { type NodeWork, OWN_WORK } from '../node-work.js';
import { Checkpoints, keepCheckpoints } from './checkpoints.js';
import { CandidateFinder } from './find-candidates.js';
import { followCheckpoints } from './follow-checkpoints.js';
import { keepTransactions, Transactions } from './transactions.js';

export interface IotaSourceOptions extends NodeOptions {
  /** How long one query may look through what the node cannot filter; default 30 s. */
  readonly searchMs?: number;
}

/** A node that speaks today's IOTA dialect. Its transactions are turned into the events of the legacy one, ids included. */
export function createIotaSource(options: IotaSourceOptions): EventSource {
  const { url, timeoutMs, searchMs = 30_000 } = options;
  const callFor = createCallNode(options);
  const knownCheckpoints = keepCheckpoints();
  const knownTransactions = keepTransactions();
  const open = (work: NodeWork) => {
    const call = callFor(work);
    const checkpoints = new Checkpoints(call, knownCheckpoints);
    const transactions = new Transactions(call, checkpoints, knownTransactions);
    return { checkpoints, transactions, call };
  };
  const { checkpoints, transactions } = open(OWN_WORK);

  async function getEvents(request: GetEventsRequest, work: NodeWork): Promise<EventPage> {
    const { criterion, cursor, limit, descending } = request;
    const node = open(work);
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
          work.hold(size);
          bytes += size;
          if (bytes > work.maxAnswerBytes) throw tooBig(found.length);
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
    `Response is too big: ask for fewer than ${count} events`,
  );
}

function tooWide(criterion: string): JsonRpcError {
  return new QueryTooExpensive(
    `The node has no index for this ${criterion} query and the search took too long; ask for a TimeRange or a Sender`,
  );
}
