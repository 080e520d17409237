import type { EventId, EventPage, GetEventsRequest, StoredEventRecord } from '@forecourt/contracts';
import type { NodeSession } from './node-calls.js';
import type { LinkedCheckpoint } from './sealed-checkpoint.js';
import { CheckpointChain } from './checkpoint-chain.js';

/** Values that distinguish ledgers; null if the node cannot report them. */
export interface LedgerIdentity {
  /** As `iota_getChainIdentifier` returns it. */
  readonly chainIdentifier: string | null;
  /** Digest of the ledger's first transaction, in base64. */
  readonly genesisTransaction: string | null;
}

/** A page, or the first part of it. */
export interface SourcePage extends EventPage {
  /** The source has read a part, so that other clients get their turns: the rest begins at `nextCursor`. */
  readonly goesOn?: boolean;
}

/**
 * One ledger node that events come from, in any dialect. Every method throws `UpstreamFailed` if the node
 * fails.
 */
export interface EventSource {
  /** Dialect and host, for logs and probes: `legacy 127.0.0.1:9000`. */
  readonly name: string;

  /**
   * Queries for a client, within the limits of `session`. Throws `JsonRpcError` if it exceeds them,
   * `UnsupportedByUpstream` if the node does not have the beginning of the page.
   */
  getEvents(request: GetEventsRequest, session: NodeSession): Promise<SourcePage>;

  /** The newest event; null if the ledger has none. */
  newest(): Promise<StoredEventRecord | null>;

  /**
   * Every event from `from` on, that of every checkpoint too, in ledger order, each once: first past events,
   * then live ones. A first batch, possibly empty, signals that the node is connected. Ends if `signal`
   * aborts or with an error, `UnsupportedByUpstream` if the node does not have the next events, `ChainBroken`
   * if they are another ledger's. `chain`, if it is not new, ends before `from`; every checkpoint is added to
   * it where the dialect shows digests, and continues it, whichever node or connection delivered the last.
   */
  follow(
    from: EventId,
    signal: AbortSignal,
    chain?: CheckpointChain,
  ): AsyncIterable<readonly StoredEventRecord[]>;

  /**
   * Checkpoints `first` to `last`, both included, page by page and each linked to the one before; descending,
   * `first` is the greater one. Nothing in a dialect that shows no digests. Throws `UnsupportedByUpstream` at
   * the first that the node does not have, `ChainBroken` if they are not of one ledger.
   */
  checkpoints(first: number, last: number): AsyncIterable<readonly LinkedCheckpoint[]>;

  /** Number of the node's newest checkpoint; null if it has none. */
  latestCheckpoint(): Promise<number | null>;

  /** Number of the oldest checkpoint that the node can serve; null if it has none. */
  lowestCheckpoint(): Promise<number | null>;

  /**
   * Position of a checkpoint's first transaction in the ledger's total order. Throws `UnsupportedByUpstream`
   * if the node does not have it.
   */
  firstTransactionOf(checkpoint: number): Promise<number>;

  /** Identifies the ledger. */
  ledgerIdentity(): Promise<LedgerIdentity>;
}

/** Everything but the parts of a Move event that have no bound. */
const BYTES = 700;
/** A control character takes six bytes, and a character beyond ASCII as many at most. */
const BYTES_PER_CHARACTER = 6;
const PLAIN_TEXT = /^[ !#-[\]-~]*$/;
/**
 * Of a number below 256, and of any other of 32 bits, a boolean or null, with what separates it from the next
 * value.
 */
const BYTES_OF_BYTE = 4;
const BYTES_OF_SCALAR = 11;
/** Quotes, brackets or braces, and what separates a value from the next one. */
const BYTES_AROUND = 4;

/** An upper estimate of the size of a record's JSON, without serializing it. */
export function estimateRecordBytes({ event }: StoredEventRecord): number {
  if (!('moveEvent' in event)) return BYTES;
  const { type, fields, bcs } = event.moveEvent;
  return BYTES + type.length + bcs.length + estimateJsonBytes(fields);
}

/** Names of fields can be long: a few bytes of an event can become a hundred times as much JSON. */
function estimateJsonBytes(value: unknown): number {
  if (typeof value === 'string') return BYTES_AROUND + textBytes(value);
  if (typeof value === 'number') return value < 256 ? BYTES_OF_BYTE : BYTES_OF_SCALAR;
  if (typeof value !== 'object' || value === null) return BYTES_OF_SCALAR;
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, one) => sum + estimateJsonBytes(one), BYTES_AROUND);
  }
  let bytes = BYTES_AROUND;
  for (const [name, field] of Object.entries(value)) {
    bytes += BYTES_AROUND + textBytes(name) + estimateJsonBytes(field);
  }
  return bytes;
}

function textBytes(text: string): number {
  return PLAIN_TEXT.test(text) ? text.length : BYTES_PER_CHARACTER * text.length;
}

/** Compares only values that both nodes report, which depend on their dialect. */
export function isOtherLedger(known: LedgerIdentity, other: LedgerIdentity): boolean {
  const parts = ['chainIdentifier', 'genesisTransaction'] as const;
  return parts.some(
    (part) => known[part] !== null && other[part] !== null && known[part] !== other[part],
  );
}

/** The known values, and those that another node of the same ledger has reported. */
export function mergeIdentities(
  known: LedgerIdentity | null,
  reported: LedgerIdentity,
): LedgerIdentity {
  return {
    chainIdentifier: reported.chainIdentifier ?? known?.chainIdentifier ?? null,
    genesisTransaction: reported.genesisTransaction ?? known?.genesisTransaction ?? null,
  };
}
