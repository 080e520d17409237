import type { Sponsorship } from '@forecourt/contracts';
import { formRebuilt, readRebuilt, type TransactionDecoder } from '@forecourt/sponsorship';
import type { StreamEntry } from '../streams/entry-source.js';

/** A transaction that a pool has found on the ledger, or gas that none explains. */
export interface Correction {
  /** Names it: a digest, or the entry where there is no transaction. */
  readonly key: string;
  /** In ms since 1970. */
  readonly at: number;
  readonly cause: string;
  /** In the smallest unit. */
  readonly unexplained: string;
  /** Null: no transaction explains the gas. */
  readonly record: Sponsorship | null;
}

/** Reads an entry of the stream of transactions that were found on the ledger. Throws `EntryTooNew`, and an `Error` with the problem. */
export function readCorrection(
  decoder: TransactionDecoder,
  sponsor: string,
  { id, pairs }: StreamEntry,
): Correction {
  const stored = readRebuilt(pairs);
  const { cause } = stored;
  if ('unexplained' in stored) {
    const { at, unexplained } = stored;
    return { key: id, at: Number(at), cause, unexplained, record: null };
  }
  const record = formRebuilt(decoder, sponsor, stored);
  return { key: record.digest!, at: record.ended_at!, cause, unexplained: '0', record };
}
