import type { ClientBase } from 'pg';
import type { Logger } from '@forecourt/runtime/service';
import type { IndexFrom } from '../../config/events-config.js';
import {
  type EventSource,
  type LedgerIdentity,
  isOtherLedger,
  mergeIdentities,
} from '../../upstreams/event-source.js';
import type { LinkedCheckpoint, SealedCheckpoint } from '../../upstreams/sealed-checkpoint.js';
import { HistoryPruned } from '../../upstreams/history-pruned.js';
import { UnsupportedByUpstream } from '../../upstreams/unsupported-by-upstream.js';
import { UpstreamFailed } from '../../upstreams/upstream-failed.js';
import {
  type IndexedLedger,
  readLedger,
  readHoles,
  sealedEnd,
  type Place,
  positionOf,
} from '../store/indexed-ledger.js';
import { placeOf } from './index-sources.js';
import { OtherLedger } from './other-ledger.js';
import type { IndexWriter } from './index-writer.js';
import { CheckpointRows } from './checkpoint-rows.js';

/** A shorter past is read before the newest events, a longer one beside them. */
const READ_FIRST = 1_000;

const CREATE = `INSERT INTO events.ledger (chain_identifier, genesis_transaction,
  first_checkpoint, first_position, end_checkpoint, end_position) VALUES ($1, $2, $3, $4, $5, $6)`;
const IDENTIFY = 'UPDATE events.ledger SET chain_identifier = $1, genesis_transaction = $2';
const ADD_HOLE = `INSERT INTO events.holes
  (first_checkpoint, first_position, end_checkpoint, end_position, reason) VALUES ($1, $2, $3, $4, 'waiting')`;

/** Without a right one among so many, a node counts as one of another ledger. */
const MOST_WRONG = 100_000;

/** The result of a comparison, from the newest checkpoint down. */
interface Compared {
  /** Whether a checkpoint of the index differs from the node's. */
  readonly isWrong: boolean;
  /** The newest checkpoint that is right, before those that are wrong; null: none. */
  readonly right: LinkedCheckpoint | null;
  /** The reason why the node shows no further ones; null: no call asked it. */
  readonly lack: UnsupportedByUpstream | null;
}

/**
 * Opens the index for a node: begins it at the first start. Later it makes sure that the node serves the same
 * ledger, and that the end of the index is the ledger's before anything is added to it. What a node of
 * another network has written is removed, down to a checkpoint that the node shows in the same way: from
 * there on, its own checkpoints are linked by their digests, so that those of the index are certainly wrong.
 */
export class IndexOpening {
  constructor(
    private readonly from: IndexFrom,
    private readonly writer: IndexWriter,
    private readonly logger: Logger,
  ) {}

  /**
   * The ledger of the index; where the index ends, after anything wrong was removed; and its last checkpoint,
   * null where that cannot be known. A node that has contradicted the index, by `isContradicted`, is compared
   * with it even if the digest is known. Throws `OtherLedger`, and the errors of the node and of the
   * database.
   */
  async open(session: ClientBase, source: EventSource, isContradicted: boolean) {
    const ledger = await this.identify(session, source);
    return { ledger, ...(await this.restore(session, source, ledger, isContradicted)) };
  }

  private async identify(session: ClientBase, source: EventSource): Promise<IndexedLedger> {
    const reported = await source.ledgerIdentity();
    const ledger = await readLedger(session);
    if (ledger === null) return this.begin(session, source, reported);
    const { identity } = ledger;
    if (isOtherLedger(identity, reported)) throw new OtherLedger(source.name);
    const merged = mergeIdentities(identity, reported);
    await session.query(IDENTIFY, [merged.chainIdentifier, merged.genesisTransaction]);
    return { ...ledger, identity: merged };
  }

  private async begin(
    session: ClientBase,
    source: EventSource,
    identity: LedgerIdentity,
  ): Promise<IndexedLedger> {
    const { first, end } = await this.choose(source);
    // The address may lead to another network by now.
    if (isOtherLedger(identity, await source.ledgerIdentity())) throw new OtherLedger(source.name);
    const { chainIdentifier, genesisTransaction } = identity;
    await session.query('BEGIN');
    await session.query(CREATE, [
      chainIdentifier,
      genesisTransaction,
      first.checkpoint,
      first.position,
      end.checkpoint,
      end.position,
    ]);
    if (first.position < end.position) {
      const bounds = [first.checkpoint, first.position, end.checkpoint, end.position];
      await session.query(ADD_HOLE, bounds);
    }
    await session.query('COMMIT');
    this.logger.info(
      { upstream: source.name, firstCheckpoint: first.checkpoint, nextCheckpoint: end.checkpoint },
      'The index of events begins',
    );
    return { identity, first, end, endAt: null, changes: 0, linked: null };
  }

  /** Where the index begins, and where it ends before anything is written: what is between is a hole. */
  private async choose(source: EventSource): Promise<{ first: Place; end: Place }> {
    const latest = await source.latestCheckpoint();
    const lowest = await source.lowestCheckpoint();
    if (latest === null || lowest === null) {
      throw new UpstreamFailed('the ledger node has no checkpoint yet');
    }
    const { from } = this;
    const start = from === 'tip' ? latest : from === 'lowest' ? lowest : Math.min(from, latest);
    // A node cannot tell the position of a checkpoint that it does not have.
    const first = await placeOf(source, Math.max(start, lowest));
    if (latest - first.checkpoint <= READ_FIRST) return { first, end: first };
    return { first, end: await placeOf(source, latest) };
  }

  private async restore(
    session: ClientBase,
    source: EventSource,
    ledger: IndexedLedger,
    isContradicted: boolean,
  ): Promise<{ readonly end: Place; readonly sealed: SealedCheckpoint | null }> {
    const { first, end } = ledger;
    const sealed = sealedEnd(ledger);
    const isEmpty = end.checkpoint <= first.checkpoint;
    if (isEmpty || (sealed !== null && !isContradicted)) return { end, sealed };
    const newest = end.checkpoint - 1;
    const { isWrong, right, lack } = await this.compare(session, source, ledger);
    const isUncompared = !isWrong && right === null && lack !== null;
    if (isUncompared && sealed === null && !(lack instanceof HistoryPruned)) {
      throw new UpstreamFailed(`the end of the index cannot be compared: ${lack.message}`);
    }
    if (!isWrong) return { end, sealed: right?.number === newest ? right : sealed };
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

  /** Compares the newest checkpoints, and if any is wrong, those before it until one is right. */
  private async compare(
    session: ClientBase,
    source: EventSource,
    { first, end }: IndexedLedger,
  ): Promise<Compared> {
    const rows = new CheckpointRows(session, end.position);
    const holes = await readHoles(session);
    const isInHole = (number: number) =>
      holes.some((hole) => number >= hole.first.checkpoint && number < hole.end.checkpoint);
    let right: LinkedCheckpoint | null = null;
    let [isWrong, compared] = [false, 0];
    try {
      for await (const page of source.checkpoints(end.checkpoint - 1, first.checkpoint)) {
        for (const link of page) {
          const row = await rows.find(link.number);
          if (isInHole(link.number) || (row === null && link.lastTransaction === null)) continue;
          if (row?.total === link.total && row.lastTransaction === link.lastTransaction) {
            right ??= link;
          } else {
            [isWrong, right] = [true, null];
          }
        }
        compared += page.length;
        if (!isWrong || right !== null || compared >= MOST_WRONG) break;
      }
      return { isWrong, right, lack: null };
    } catch (error) {
      // The node has pruned the rest, or does not have the newest yet.
      if (!(error instanceof UnsupportedByUpstream)) throw error;
      return { isWrong, right, lack: error };
    }
  }
}
