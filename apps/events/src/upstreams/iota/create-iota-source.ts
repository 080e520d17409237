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
import type { EventSource } from '../event-source.js';
import { Checkpoints } from './checkpoints.js';
import { CandidateFinder } from './find-candidates.js';
import { followCheckpoints } from './follow-checkpoints.js';
import { Transactions } from './transactions.js';

export interface IotaSourceOptions extends NodeOptions {
  /** How long one query may look through what the node cannot filter; default 30 s. */
  readonly searchMs?: number;
}

/** A node that speaks today's IOTA dialect. Its transactions are turned into the events of the legacy one, ids included. */
export function createIotaSource(options: IotaSourceOptions): EventSource {
  const { url, timeoutMs, searchMs = 30_000 } = options;
  const call = createCallNode(options);
  const checkpoints = new Checkpoints(call);
  const transactions = new Transactions(call, checkpoints);
  const candidates = new CandidateFinder(call, checkpoints, transactions);

  async function getEvents(request: GetEventsRequest): Promise<EventPage> {
    const { criterion, cursor, limit, descending } = request;
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

function tooWide(criterion: string): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.callFailed,
    `The node has no index for this ${criterion} query and the search took too long; ask for a TimeRange or a Sender`,
  );
}
