import type { ClientBase } from 'pg';
import { CHECKPOINT_KEY, type EventRow, recordOf } from '../store/index-rows.js';

const ROWS_AT_ONCE = 500;

/** A checkpoint as the index has it. */
interface CheckpointRow {
  readonly number: number;
  /** Transactions on the ledger up to and including it. */
  readonly total: number;
  /** Digest of its last transaction, in base64. */
  readonly lastTransaction: string;
}

/** The checkpoints of the index before a position, the newest first. */
export class CheckpointRows {
  readonly #read = new Map<number, CheckpointRow>();
  #lowest = Infinity;
  #before: number;

  constructor(
    private readonly session: ClientBase,
    before: number,
  ) {
    this.#before = before;
  }

  /** Null: the index does not have it. Numbers must be asked for in descending order. */
  async find(number: number): Promise<CheckpointRow | null> {
    while (this.#lowest > number && this.#before > 0) await this.readMore();
    const row = this.#read.get(number) ?? null;
    this.#read.delete(number);
    return row;
  }

  private async readMore(): Promise<void> {
    const { rows } = await this.session.query<EventRow>(
      `SELECT e.position, e.at, e.transaction, e.event FROM (
         SELECT position FROM events.postings WHERE key = $1 AND position < $2 ORDER BY position DESC LIMIT $3
       ) AS found JOIN events.events e USING (position) ORDER BY position DESC`,
      [CHECKPOINT_KEY, this.#before, ROWS_AT_ONCE],
    );
    for (const { id, txDigest, event } of rows.map(recordOf)) {
      if (!('checkpoint' in event)) continue;
      const number = event.checkpoint;
      this.#read.set(number, { number, total: id.txSeq + 1, lastTransaction: txDigest });
      this.#lowest = number;
    }
    this.#before = rows.at(-1)?.position ?? 0;
  }
}
