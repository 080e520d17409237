import type { Logger } from '@forecourt/runtime/service';
import type { ClientBase } from 'pg';
import type { LinkedCheckpoint, SealedCheckpoint } from '../../upstreams/checkpoint-chain.js';
import type { EventSource } from '../../upstreams/event-source.js';
import {
  HistoryPruned,
  UpstreamFailed,
  UnsupportedByUpstream,
} from '../../upstreams/upstream-errors.js';
import { CheckpointRows } from '../store/checkpoint-rows.js';
import { type IndexedLedger, readHoles, sealedEnd } from '../store/indexed-ledger.js';
import { type Place, positionOf } from '../store/place.js';
import { OtherLedger } from './index-sources.js';
import type { IndexWriter } from './index-writer.js';

/** The newest checkpoints of an index that a release wrote which did not link them. */
const EXAMINED = 10_000;
/** After so many right checkpoints in a row, the ones before are right as well. */
const ENOUGH = 100;
/** Without a right one among so many, a node counts as one of another ledger. */
const MOST_WRONG = 100_000;

/** The result of a comparison, from the newest checkpoint down. */
interface Compared {
  /** The first checkpoint from which on the index differs; null: nowhere. */
  readonly wrongFrom: number | null;
  /** The newest checkpoint that is right, before those that are wrong; null: none. */
  readonly right: LinkedCheckpoint | null;
  /** The reason why the node shows no further ones; null: no call asked it. */
  readonly lack: UnsupportedByUpstream | null;
}

/**
 * Makes sure that the end of the index is the ledger's before anything is added to it. What a node of another network has
 * written is removed, down to a checkpoint that the node shows in the same way: from there on, its own checkpoints are linked
 * by their digests, so that those of the index are certainly wrong.
 */
export class IndexContinuity {
  constructor(
    private readonly writer: IndexWriter,
    private readonly logger: Pick<Logger, 'error' | 'info'>,
  ) {}

  /**
   * Where the index ends, after anything wrong was removed, and its last checkpoint; null where that cannot be known. A node
   * that has contradicted the index, by `isContradicted`, is compared with it even if the digest is known. Throws the errors
   * of the node and of the database.
   */
  async restore(
    session: ClientBase,
    source: EventSource,
    ledger: IndexedLedger,
    isContradicted: boolean,
  ): Promise<{ readonly end: Place; readonly sealed: SealedCheckpoint | null }> {
    const { first, end, linked } = ledger;
    const sealed = sealedEnd(ledger);
    const isEmpty = end.checkpoint <= first.checkpoint;
    if (isEmpty || (sealed !== null && !isContradicted)) return { end, sealed };
    const newest = end.checkpoint - 1;
    const unknownFrom = sealed
      ? newest
      : Math.max((linked?.number ?? -1) + 1, newest - EXAMINED + 1);
    const { wrongFrom, right, lack } = await this.compare(session, source, ledger, unknownFrom);
    const isUncompared = wrongFrom === null && right === null && lack !== null;
    if (isUncompared && sealed === null && !(lack instanceof HistoryPruned)) {
      throw new UpstreamFailed(`the end of the index cannot be compared: ${lack.message}`);
    }
    if (wrongFrom === null) return { end, sealed: right?.number === newest ? right : sealed };
    if (right === null) {
      throw new OtherLedger(source.name, ': none of the newest checkpoints is the same');
    }
    const to: Place = { checkpoint: right.number + 1, position: positionOf(right.total) };
    await this.writer.shorten(session, end, to, right.digest);
    this.logger.error(
      { upstream: source.name, firstCheckpoint: to.checkpoint, lastCheckpoint: newest },
      'The index of events held checkpoints of another ledger; they are removed and read again',
    );
    return { end: to, sealed: right };
  }

  /** Compares all checkpoints from `until` on, and before them as many as it takes to find right ones. */
  private async compare(
    session: ClientBase,
    source: EventSource,
    ledger: IndexedLedger,
    until: number,
  ): Promise<Compared> {
    const rows = new CheckpointRows(session, ledger.end.position);
    const holes = await readHoles(session);
    const isInHole = (number: number) =>
      holes.some(({ first, end }) => number >= first.checkpoint && number < end.checkpoint);
    let wrongFrom: number | null = null;
    let right: LinkedCheckpoint | null = null;
    let [inRow, compared] = [0, 0];
    const { first, end } = ledger;
    try {
      for await (const page of source.checkpoints(end.checkpoint - 1, first.checkpoint)) {
        for (const shown of page) {
          const row = await rows.find(shown.number);
          if (isInHole(shown.number) || (row === null && shown.lastTransaction === null)) continue;
          if (row?.total === shown.total && row.lastTransaction === shown.lastTransaction) {
            right ??= shown;
            inRow += 1;
          } else {
            [wrongFrom, right, inRow] = [shown.number, null, 0];
          }
        }
        compared += page.length;
        const isDone = page.at(-1)!.number <= until;
        if (isDone && (wrongFrom === null || inRow >= ENOUGH)) break;
        if (right === null && compared >= MOST_WRONG) break;
      }
      return { wrongFrom, right, lack: null };
    } catch (error) {
      // The node has pruned the rest, or does not have the newest yet.
      if (!(error instanceof UnsupportedByUpstream)) throw error;
      return { wrongFrom, right, lack: error };
    }
  }
}
