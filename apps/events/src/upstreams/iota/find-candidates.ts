import {
  canonicalAddress,
  digestInBase58,
  type EventCriterion,
  type EventId,
  type Owner,
} from '@forecourt/contracts';
import { JsonRpcCode } from '@forecourt/json-rpc';
import { type CallNode, NodeRefused } from '../call-node.js';
import type { Checkpoints } from './checkpoints.js';
import { mergeInOrder } from './merge-in-order.js';
import type { NodeEvent, NodePage, NodeTransaction } from './node-json.js';
import { SHOWN, type TransactionRecords, type Transactions } from './transactions.js';

const PAGE = 50;
const LARGEST_EVENT_SEQ = 2 ** 14 - 1;
const NATIVE_PACKAGE = canonicalAddress('0x2');

export interface Search {
  readonly criterion: EventCriterion;
  /** Where to begin; null: at the end of the ledger that the direction starts from. */
  readonly cursor: EventId | null;
  readonly descending: boolean;
}

/** A superset of the transactions with matching events, in the order of the search. */
export type Candidates = AsyncGenerator<readonly TransactionRecords[]>;

/** Finds candidates through the node's indexes; the caller checks each event against the whole criterion. */
export class CandidateFinder {
  constructor(
    private readonly call: CallNode,
    private readonly checkpoints: Checkpoints,
    private readonly transactions: Transactions,
  ) {}

  find(search: Search): Candidates {
    const { criterion } = search;
    switch (criterion.key) {
      case 'All':
        return this.scan(search);
      case 'Transaction':
        return this.single(criterion.digest);
      case 'MoveModule': {
        const { packageId, module } = criterion;
        if (packageId === NATIVE_PACKAGE && module === 'native') return this.scan(search);
        return this.query({ MoveFunction: { package: packageId, module } }, search);
      }
      case 'MoveEvent':
        return this.queryEvents({ MoveEventType: criterion.type }, search);
      case 'EventType':
        return this.ofKind(criterion.kind, search);
      case 'Sender':
        return this.query({ FromAddress: criterion.address }, search);
      case 'Recipient':
        return this.ofRecipient(criterion.owner, search);
      case 'Object':
        // The index of changed objects leaves out deleted ones, which were inputs.
        return mergeInOrder(
          this.query({ ChangedObject: criterion.objectId }, search),
          this.query({ InputObject: criterion.objectId }, search),
          search.descending,
        );
      case 'TimeRange':
        return this.inTimeRange(criterion.startTime, criterion.endTime, search);
    }
  }

  private ofKind(kind: Extract<EventCriterion, { key: 'EventType' }>['kind'], search: Search) {
    if (kind === 'MoveEvent') return this.queryEvents({ All: [] }, search);
    return this.scan(search, { onlyLast: kind === 'Checkpoint' || kind === 'EpochChange' });
  }

  private ofRecipient(owner: Owner, search: Search): Candidates {
    if (typeof owner !== 'object' || !('AddressOwner' in owner)) return this.scan(search);
    return this.query({ ToAddress: owner.AddressOwner }, search);
  }

  private async *single(digestInBase64: string): Candidates {
    const found = await this.call<NodeTransaction>('iota_getTransactionBlock', [
      digestInBase58(digestInBase64),
      SHOWN,
    ]).catch(nullIfUnknown);
    if (found) yield await this.transactions.withCheckpoints([found]);
  }

  /** Scans every transaction, checkpoint by checkpoint. */
  private async *scan(
    { cursor, descending }: Pick<Search, 'cursor' | 'descending'>,
    { onlyLast = false, isBeyond = () => false }: ScanOptions = {},
  ): Candidates {
    const start = await this.startOf(cursor, descending);
    if (start === null) return;
    for await (const page of this.checkpoints.from(start, descending)) {
      const wanted = page.filter((checkpoint) => !isBeyond(Number(checkpoint.timestampMs)));
      const found = await this.transactions.inCheckpoints(
        descending ? wanted.toReversed() : wanted,
        onlyLast,
      );
      yield descending ? found.toReversed() : found;
      if (wanted.length < page.length) return;
    }
  }

  private async startOf(cursor: EventId | null, descending: boolean): Promise<number | null> {
    if (cursor === null) return descending ? this.checkpoints.latest() : 0;
    const found = await this.checkpoints.containing(cursor.txSeq);
    return found ?? (descending ? this.checkpoints.latest() : null);
  }

  private async *inTimeRange(startTime: number, endTime: number, search: Search): Candidates {
    const { cursor, descending } = search;
    const first = await this.checkpoints.firstAt(startTime);
    if (first === null) return;
    const after = await this.checkpoints.firstAt(endTime + 1);
    const last = after === null ? await this.checkpoints.latest() : after - 1;
    if (last < first) return;
    const edge = await this.checkpoints.get(descending ? last : first);
    const total = Number(edge.networkTotalTransactions);
    const edgeId = {
      txSeq: descending ? total - 1 : total - edge.transactions.length,
      eventSeq: 0,
    };
    const isInside =
      cursor !== null && (descending ? cursor.txSeq <= edgeId.txSeq : cursor.txSeq >= edgeId.txSeq);
    const begin = { cursor: isInside ? cursor : edgeId, descending };
    const isBeyond = descending
      ? (timestamp: number) => timestamp < startTime
      : (timestamp: number) => timestamp > endTime;
    yield* this.scan(begin, { isBeyond });
  }

  /** Transactions found by the node's index. */
  private async *query(filter: object, { cursor, descending }: Search): Candidates {
    let after: string | null = null;
    if (cursor !== null) {
      // The node's cursor is exclusive.
      const before = descending ? cursor.txSeq + 1 : cursor.txSeq - 1;
      after = await this.checkpoints.digestAt(before);
      if (after === null && !descending && before >= 0) return;
    }
    for (let more = true; more;) {
      const page: NodePage<NodeTransaction, string> = await this.call(
        'iotax_queryTransactionBlocks',
        [{ filter, options: SHOWN }, after, PAGE, descending],
      );
      yield await this.transactions.withCheckpoints(page.data);
      more = page.hasNextPage;
      after = page.nextCursor;
    }
  }

  /** Transactions of the Move events found by the node's index. */
  private async *queryEvents(filter: object, { cursor, descending }: Search): Candidates {
    let after: NodeEvent['id'] | null = null;
    if (cursor !== null) {
      const place = descending
        ? { txSeq: cursor.txSeq + 1, eventSeq: 0 }
        : { txSeq: cursor.txSeq - 1, eventSeq: LARGEST_EVENT_SEQ };
      const txDigest = await this.checkpoints.digestAt(place.txSeq);
      if (txDigest === null && !descending && place.txSeq >= 0) return;
      after = txDigest === null ? null : { txDigest, eventSeq: String(place.eventSeq) };
    }
    let last = '';
    for (let more = true; more;) {
      const page: NodePage<NodeEvent, NodeEvent['id']> = await this.call('iotax_queryEvents', [
        filter,
        after,
        PAGE,
        descending,
      ]);
      const digests = new Set(page.data.map(({ id }) => id.txDigest));
      // The events of one transaction may be split over two pages.
      digests.delete(last);
      yield await this.transactions.byDigests([...digests]);
      last = page.data.at(-1)?.id.txDigest ?? last;
      more = page.hasNextPage;
      after = page.nextCursor;
    }
  }
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof NodeRefused && error.code === JsonRpcCode.invalidParams) return null;
  throw error;
}

interface ScanOptions {
  /** Only the last transaction of every checkpoint. */
  readonly onlyLast?: boolean;
  /** Whether a checkpoint of this time is beyond the end of the search. */
  readonly isBeyond?: (timestampMs: number) => boolean;
}
