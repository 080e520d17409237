import { Inject, Injectable } from '@nestjs/common';
import {
  describeTransaction,
  EntryTooNew,
  findDecision,
  formRefusal,
  formSponsorship,
  readEndedSponsorship,
  readRefusedRequest,
  reservedAt,
} from '@forecourt/sponsorship';
import type { LedgerCodec } from '@forecourt/ledger';
import type { ClientBase } from 'pg';
import {
  Database,
  isAboutData,
  isWithoutPartition,
  shareLockForTransaction,
} from '../database/database.js';
import { Partitions } from '../database/partitions.js';
import {
  DAY_MS,
  REFUSAL_BITS,
  refusalId,
  REFUSED_WITHIN_MS,
  timeOfId,
} from '../database/record-ids.js';
import { eventOfRefusal, eventsOfEnded, type NotifiedEvent } from '../webhooks/delivery-outbox.js';
import { Webhooks } from '../webhooks/webhooks.js';
import { noteEntryNumbers } from './entry-numbers.js';
import type { StreamEntry, WrittenEntries } from './entry-source.js';
import { type BrokenEntry, keepBrokenEntries } from './insert-records.js';
import { type IdentifiedRefusal, insertRefusals } from './insert-refusals.js';
import { type DecidedSponsorship, insertSponsorships } from './insert-sponsorships.js';

/** Injection token of the `LedgerCodec`. */
export const DECODER = Symbol('DECODER');

/** An entry with the record that it describes. */
interface ReadEntry<T> {
  readonly entry: StreamEntry;
  readonly record: T;
}

interface ReadEntries<T> {
  readonly read: readonly ReadEntry<T>[];
  readonly broken: readonly BrokenEntry[];
}

/** How records of one kind are written. */
interface RecordKind<T> {
  readonly timesOf: (record: T) => readonly number[];
  /** Returns how many are new. `stream`: that of the records. */
  readonly insert: (client: ClientBase, records: readonly T[], stream: string) => Promise<number>;
  readonly eventsOf: (read: ReadEntry<T>) => readonly NotifiedEvent[];
  /** Notes, after the records, that entries of a stream are written. */
  readonly note?: (
    client: ClientBase,
    stream: string,
    entries: readonly StreamEntry[],
  ) => Promise<void>;
}

const sponsorships: RecordKind<DecidedSponsorship> = {
  timesOf: ({ sponsorship: { created_at: created }, decision }) => [
    created,
    decision?.claimedAt ?? created,
  ],
  insert: async (client, records, sponsor) =>
    insertSponsorships(client, await withoutRebuilt(client, sponsor, records)),
  eventsOf: ({ record }) => eventsOfEnded(record.sponsorship),
  note: noteEntryNumbers,
};

const refusals: RecordKind<IdentifiedRefusal> = {
  timesOf: timesOfRefusal,
  insert: insertRefusals,
  eventsOf: ({ record, entry }) => [eventOfRefusal(formRefusal(record.refused), entry.id)],
};

/** Writes entries of streams into the database, each exactly once however often it is called with it. */
@Injectable()
export class RecordWriter {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    @Inject(DECODER) private readonly decoder: LedgerCodec,
    private readonly outbox: Webhooks,
  ) {}

  /** Writes ended sponsorships. Rejects when the database does not answer; nothing is written then. */
  writeSponsorships(sponsor: string, entries: readonly StreamEntry[]): Promise<WrittenEntries> {
    const read = readEntries(entries, (entry) => readSponsorship(this.decoder, sponsor, entry));
    return this.write(sponsor, read, sponsorships);
  }

  /** Writes refused requests. Rejects as `writeSponsorships` does. */
  writeRefusals(stream: string, entries: readonly StreamEntry[]): Promise<WrittenEntries> {
    const read = readEntries(entries, (entry) => readRefusal(this.decoder, entry));
    return this.write(stream, read, refusals);
  }

  private async write<T>(
    stream: string,
    { read, broken }: ReadEntries<T>,
    kind: RecordKind<T>,
  ): Promise<WrittenEntries> {
    const records = read.map(({ record }) => record);
    const done = [...read, ...broken].map(({ entry }) => entry);
    await this.partitions.ensure(records.flatMap(kind.timesOf));
    try {
      const { inserted, receivers } = await this.database.transaction(async (client) => {
        await keepBrokenEntries(client, stream, broken);
        const inserted = await kind.insert(client, records, stream);
        await kind.note?.(client, stream, done);
        return { inserted, receivers: await this.outbox.add(client, read.flatMap(kind.eventsOf)) };
      });
      void this.outbox.wake(receivers);
      return { done, inserted, broken: broken.length };
    } catch (error) {
      if (isWithoutPartition(error)) this.partitions.forget();
      if (!isAboutData(error)) throw error;
      const [only, ...others] = read;
      const isAlone = only !== undefined && others.length === 0;
      if (isAlone) {
        const problem = (error as Error).message;
        const all = { read: [], broken: [...broken, { entry: only.entry, problem }] };
        return this.write(stream, all, kind);
      }
      if (read.length === 0) throw error;
      // One of them cannot be stored: the others must not wait for it.
      const middle = Math.ceil(read.length / 2);
      const first = await this.write(stream, { read: read.slice(0, middle), broken }, kind);
      const second = await this.write(stream, { read: read.slice(middle), broken: [] }, kind);
      return {
        done: [...first.done, ...second.done],
        inserted: first.inserted + second.inserted,
        broken: first.broken + second.broken,
      };
    }
  }
}

/** The reservation that it names counts only if it is recent: a caller may name any. */
function timesOfRefusal({ id, refused: { reservation } }: IdentifiedRefusal): readonly number[] {
  const time = timeOfId(BigInt(id), REFUSAL_BITS);
  const reserved = reservation === '' ? time : reservedAt(Number(reservation));
  return Math.abs(time - reserved) < REFUSED_WITHIN_MS ? [time, reserved] : [time];
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
function readSponsorship(
  decoder: LedgerCodec,
  sponsor: string,
  { id, pairs }: StreamEntry,
): DecidedSponsorship {
  const stored = readEndedSponsorship(pairs);
  const sponsorship = formSponsorship(decoder, sponsor, stored);
  if (sponsorship.created_at > Number.parseInt(id, 10) + DAY_MS) {
    throw new RangeError(`the id ${sponsorship.reservation_id} is one of the future`);
  }
  return { sponsorship, decision: findDecision(stored), transaction: stored.transaction };
}

/**
 * Reads an entry of the stream of refused requests. Throws `EntryTooNew`, and an `Error` with the problem.
 */
function readRefusal(decoder: LedgerCodec, { id, pairs }: StreamEntry): IdentifiedRefusal {
  const refused = readRefusedRequest(pairs);
  const { commands } = describeTransaction(decoder, refused.transaction);
  return { id: String(refusalId(id)), refused, commands };
}

/**
 * The sponsorships whose transaction was not recorded from the ledger before their own entry arrived: a
 * replica may have held that for as long as the database did not answer. Shares the lock of writers.
 */
async function withoutRebuilt(
  client: ClientBase,
  sponsor: string,
  sponsorships: readonly DecidedSponsorship[],
): Promise<readonly DecidedSponsorship[]> {
  await shareLockForTransaction(client, 'records');
  const { rows } = await client.query<{ key: string }>(
    'SELECT key FROM corrections WHERE sponsor = $1 AND key = ANY ($2)',
    [sponsor, sponsorships.flatMap(({ sponsorship: { digest } }) => digest ?? [])],
  );
  const rebuilt = new Set(rows.map(({ key }) => key));
  return sponsorships.filter(
    ({ sponsorship: { digest, status } }) => status !== 'executed' || !rebuilt.has(digest!),
  );
}
