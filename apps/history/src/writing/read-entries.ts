import type { Sponsorship } from '@forecourt/contracts';
import {
  describeTransaction,
  EntryTooNew,
  formSponsorship,
  readEndedSponsorship,
  readRefusedRequest,
  type TransactionDecoder,
} from '@forecourt/sponsorship';
import { DAY_MS, refusalId } from '../database/record-ids.js';
import type { StreamEntry } from '../streams/entry-source.js';
import type { IdentifiedRefusal } from './insert-refusals.js';

/** An entry with the record that it describes. */
export interface ReadEntry<T> {
  readonly entry: StreamEntry;
  readonly record: T;
}

export interface BrokenEntry {
  readonly entry: StreamEntry;
  readonly problem: string;
}

export interface ReadEntries<T> {
  readonly read: readonly ReadEntry<T>[];
  readonly broken: readonly BrokenEntry[];
}

/** Reads entries. Leaves out those of a later release, whose replicas take them over. */
export function readEntries<T>(
  entries: readonly StreamEntry[],
  readOne: (entry: StreamEntry) => T,
): ReadEntries<T> {
  const [read, broken]: [ReadEntry<T>[], BrokenEntry[]] = [[], []];
  for (const entry of entries) {
    try {
      read.push({ entry, record: readOne(entry) });
    } catch (error) {
      if (error instanceof EntryTooNew) continue;
      broken.push({ entry, problem: (error as Error).message });
    }
  }
  return { read, broken };
}

/** Reads an entry of a sponsor's stream. Throws `EntryTooNew`, and an `Error` with the problem. */
export function readSponsorship(
  decoder: TransactionDecoder,
  sponsor: string,
  { id, pairs }: StreamEntry,
): Sponsorship {
  const sponsorship = formSponsorship(decoder, sponsor, readEndedSponsorship(pairs));
  if (sponsorship.created_at > Number.parseInt(id, 10) + DAY_MS) {
    throw new RangeError(`the id ${sponsorship.reservation_id} is one of the future`);
  }
  return sponsorship;
}

/** Reads an entry of the stream of refused requests. Throws `EntryTooNew`, and an `Error` with the problem. */
export function readRefusal(
  decoder: TransactionDecoder,
  { id, pairs }: StreamEntry,
): IdentifiedRefusal {
  const refused = readRefusedRequest(pairs);
  const { commands } = describeTransaction(decoder, refused.transaction);
  return { id: String(refusalId(id)), refused, commands };
}
