import { setTimeout as delay } from 'node:timers/promises';
import { nextEventId, type StoredEventRecord } from '@forecourt/contracts';
import { type Logger, OutageLog } from '@forecourt/runtime/service';
import type { ClientBase } from 'pg';
import type { EventSource, LinkedCheckpoint } from '../../upstreams/event-source.js';
import { HistoryPruned } from '../../upstreams/upstream-errors.js';
import { insertEmpty, selectEmpty } from '../store/empty-checkpoints.js';
import type { IndexDatabase } from '../store/index-database.js';
import { eventAt, positionOf } from '../store/indexed-ledger.js';
import { type EventRow, recordOf } from '../store/index-rows.js';
import type { IndexSources } from './index-sources.js';

const LOOK_EVERY_MS = 10_000;
const AT_ONCE = 1_000;
/** With as many checkpoints, about ten calls: a node that others use too has calls left for them. */
const PAUSE_MS = 1_000;
const REPORT_EVERY_MS = 60_000;

const STATE = `SELECT complete_checkpoint AS known, greatest(complete_checkpoint, first_checkpoint) AS first, end_checkpoint AS "end"
  FROM events.ledger`;
const COMPLETE = `UPDATE events.ledger SET complete_checkpoint = $2, changes = changes + 1
  WHERE complete_checkpoint IS NOT DISTINCT FROM $1 AND end_checkpoint >= $2`;
const LAST_BEFORE = `SELECT position, at, transaction, event FROM events.events
  WHERE position >= $1 AND position < $2 ORDER BY position DESC LIMIT 1`;

/** Adds the empty checkpoints that the previous release has not written, from the beginning on. */
export class EmptyCompletion {
  readonly #failing: OutageLog;
  #reportAt = 0;

  constructor(
    private readonly database: IndexDatabase,
    private readonly sources: IndexSources,
    private readonly logger: Logger,
  ) {
    this.#failing = new OutageLog(logger, {
      begins: 'Cannot add empty checkpoints to the index of events',
      goesOn: 'Still cannot add empty checkpoints to the index of events',
      ends: 'Can add empty checkpoints to the index of events again',
    });
  }

  /** Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let left = 0;
      try {
        left = await this.addSome();
        this.#failing.end();
        if (left > 0) this.report(left);
      } catch (error) {
        this.#failing.report({ error: (error as Error).message });
      }
      const pauseMs = left > 0 ? PAUSE_MS : LOOK_EVERY_MS;
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private report(left: number): void {
    const now = performance.now();
    if (now < this.#reportAt) return;
    this.#reportAt = now + REPORT_EVERY_MS;
    this.logger.info({ left }, 'Reading checkpoints that may be empty for the index of events');
  }

  /** Returns the number of checkpoints that are still to be read. */
  private async addSome(): Promise<number> {
    const { pool } = this.database.primary;
    const { rows } = await pool.query<{ known: number | null; first: number; end: number }>(STATE);
    const [state] = rows;
    if (state === undefined || state.first >= state.end) return 0;
    const last = Math.min(state.first + AT_ONCE, state.end) - 1;
    let next = last + 1;
    let records: readonly StoredEventRecord[] = [];
    try {
      records = await this.sources.ask(async (source) =>
        this.recordsOf(await readAll(source, state.first, last)),
      );
    } catch (error) {
      if (!(error instanceof HistoryPruned)) throw error;
      // They stay missing: an index cannot know them without a node.
      next = Math.min(Math.max(next, error.earliest.checkpoint), state.end);
    }
    await this.database.primary.transaction(async (client) => {
      await insertEmpty(client, await missingOf(records, client));
      const { rowCount } = await client.query(COMPLETE, [state.known, next]);
      if (rowCount === 0) throw new Error('the index has changed meanwhile');
    });
    return state.end - next;
  }

  private async recordsOf(checkpoints: readonly LinkedCheckpoint[]): Promise<StoredEventRecord[]> {
    const records: StoredEventRecord[] = [];
    let before: StoredEventRecord | null = null;
    for (const { number, total, lastTransaction, at } of checkpoints) {
      if (lastTransaction !== null) {
        before = null;
        continue;
      }
      before ??= await this.eventBefore(total, number);
      if (before === null) continue;
      before = {
        ...before,
        timestamp: at,
        id: nextEventId(before.id),
        event: { checkpoint: number },
      };
      records.push(before);
    }
    return records;
  }

  /** The place of the event before that of an empty checkpoint; null: the index does not have it. */
  private async eventBefore(total: number, number: number): Promise<StoredEventRecord | null> {
    const range = [positionOf(total - 1), positionOf(total)];
    const { rows } = await this.database.primary.pool.query<EventRow>(LAST_BEFORE, range);
    if (rows[0] === undefined) return null;
    const record = recordOf(rows[0]);
    if (!('checkpoint' in record.event)) return null;
    const { txSeq, eventSeq } = eventAt(rows[0].position);
    return { ...record, id: { txSeq, eventSeq: eventSeq + number - 1 - record.event.checkpoint } };
  }
}

/** Those that the index lacks: processes of both releases may have written by turns. */
async function missingOf(records: readonly StoredEventRecord[], client: ClientBase) {
  const [first, last] = [records[0], records.at(-1)];
  if (first === undefined || last === undefined) return records;
  const all = { from: first.id, to: nextEventId(last.id), times: null };
  const limits = { descending: false, limit: records.length };
  const nameOf = ({ id }: StoredEventRecord) => `${id.txSeq}.${id.eventSeq}`;
  const held = new Set((await selectEmpty(client, { ...all, ...limits })).map(nameOf));
  return records.filter((record) => !held.has(nameOf(record)));
}

/** Nothing in a dialect without digests, which shows no checkpoints. */
async function readAll(source: EventSource, first: number, last: number) {
  const found: LinkedCheckpoint[] = [];
  for await (const page of source.checkpoints(first, last)) found.push(...page);
  return found;
}
