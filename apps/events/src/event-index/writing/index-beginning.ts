import type { ClientBase } from 'pg';
import type { Logger } from '@forecourt/runtime/service';
import type { IndexFrom } from '../../config/events-config.js';
import type { EventSource, LedgerIdentity } from '../../upstreams/event-source.js';
import { isOtherLedger, mergeIdentities } from '../../upstreams/ledger-identity.js';
import { UpstreamFailed } from '../../upstreams/upstream-errors.js';
import { OtherLedger } from './index-sources.js';
import { type IndexedLedger, readLedger } from '../store/indexed-ledger.js';
import { type Place, positionOf } from '../store/place.js';

/** A shorter past is read before the newest events, a longer one beside them. */
const READ_FIRST = 1_000;

const CREATE = `INSERT INTO events.ledger (chain_identifier, genesis_transaction,
  first_checkpoint, first_position, end_checkpoint, end_position) VALUES ($1, $2, $3, $4, $5, $6)`;
const IDENTIFY = 'UPDATE events.ledger SET chain_identifier = $1, genesis_transaction = $2';
const ADD_HOLE = `INSERT INTO events.holes
  (first_checkpoint, first_position, end_checkpoint, end_position, reason) VALUES ($1, $2, $3, $4, 'waiting')`;

/** Opens the index for a node: begins it at the first start, and makes sure later that the node serves the same ledger. */
export class IndexBeginning {
  constructor(
    private readonly from: IndexFrom,
    private readonly logger: Pick<Logger, 'info'>,
  ) {}

  /** Throws `OtherLedger`, and the node's errors. */
  async open(session: ClientBase, source: EventSource): Promise<IndexedLedger> {
    const found = await source.ledgerIdentity();
    const ledger = await readLedger(session);
    if (ledger === null) return this.begin(session, source, found);
    const { identity } = ledger;
    if (isOtherLedger(identity, found)) throw new OtherLedger(source.name);
    const merged = mergeIdentities(identity, found);
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
    const wanted = from === 'tip' ? latest : from === 'lowest' ? lowest : Math.min(from, latest);
    // A node cannot tell the position of a checkpoint that it does not have.
    const first = await placeOf(source, Math.max(wanted, lowest));
    if (latest - first.checkpoint <= READ_FIRST) return { first, end: first };
    return { first, end: await placeOf(source, latest) };
  }
}

export async function placeOf(source: EventSource, checkpoint: number): Promise<Place> {
  return { checkpoint, position: positionOf(await source.firstTransactionOf(checkpoint)) };
}
