import type { ClientBase } from 'pg';
import type { Sponsorship } from '@forecourt/contracts';
import { formRefusal, reservedAt, type TransactionDecoder } from '@forecourt/sponsorship';
import { type Database, isAboutData, isWithoutPartition } from '../database/database.js';
import type { Partitions } from '../database/partitions.js';
import { REFUSAL_BITS, REFUSED_WITHIN_MS, timeOfId } from '../database/record-ids.js';
import type { StreamEntry } from '../streams/entry-source.js';
import type { WrittenEntries } from '../streams/written-entries.js';
import { eventOfRefusal, eventsOfEnded, type NotifiedEvent } from '../webhooks/delivery-outbox.js';
import { noteEntryNumbers } from './entry-numbers.js';
import { type IdentifiedRefusal, insertRefusals } from './insert-refusals.js';
import { insertSponsorships } from './insert-sponsorships.js';
import { withoutRebuilt } from './insert-corrections.js';
import { keepBrokenEntries } from './keep-broken-entries.js';
import {
  readEntries,
  type ReadEntries,
  type ReadEntry,
  readRefusal,
  readSponsorship,
} from './read-entries.js';

/** Takes the events of records in the transaction that inserts them. */
export interface EventOutbox {
  /** Returns the receivers that have got deliveries. */
  add(client: ClientBase, events: readonly NotifiedEvent[]): Promise<ReadonlySet<string>>;
  /** Delivers soon, after the commit. Never rejects. */
  wake(receivers: ReadonlySet<string>): Promise<void>;
}

const WITHOUT_WEBHOOKS: EventOutbox = {
  add: async () => new Set(),
  wake: async () => undefined,
};

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

const sponsorships: RecordKind<Sponsorship> = {
  timesOf: ({ created_at }) => [created_at],
  insert: async (client, records, sponsor) =>
    insertSponsorships(client, await withoutRebuilt(client, sponsor, records)),
  eventsOf: ({ record }) => eventsOfEnded(record),
  note: noteEntryNumbers,
};

const refusals: RecordKind<IdentifiedRefusal> = {
  timesOf: timesOfRefusal,
  insert: insertRefusals,
  eventsOf: ({ record, entry }) => [eventOfRefusal(formRefusal(record.refused), entry.id)],
};

/** Writes entries of streams into the database, each exactly once however often it is called with it. */
export class RecordWriter {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly decoder: TransactionDecoder,
    private readonly outbox: EventOutbox = WITHOUT_WEBHOOKS,
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
  const at = timeOfId(BigInt(id), REFUSAL_BITS);
  const reserved = reservation === '' ? at : reservedAt(Number(reservation));
  return Math.abs(at - reserved) < REFUSED_WITHIN_MS ? [at, reserved] : [at];
}
