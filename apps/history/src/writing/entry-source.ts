import { acknowledgeHistory, type CoinStoreRedis, historyStreamKey } from '@forecourt/coin-store';
import { HISTORY_GROUP, REFUSALS_KEY } from '@forecourt/contracts';
import { within } from '@forecourt/runtime/async';
import { openSubscriber, type RedisConnection, removeIdleMembers } from '@forecourt/runtime/redis';

/** An entry of a stream: flat pairs of field and text. */
export interface StreamEntry {
  readonly id: string;
  readonly pairs: readonly string[];
}

/** The text of a field; empty for one that the entry lacks. */
export function fieldOf(pairs: readonly string[], name: string): string {
  const index = pairs.findIndex((text, index) => index % 2 === 0 && text === name);
  return index < 0 ? '' : pairs[index + 1]!;
}

/** The result of writing entries into the database. */
export interface WrittenEntries {
  /** They may be deleted from their stream. */
  readonly done: readonly StreamEntry[];
  readonly inserted: number;
  readonly broken: number;
}

/** A stream whose entries the replicas share. */
interface SharedStream {
  /** For logs, metrics and broken entries: the sponsor, or `refusals`. */
  readonly name: string;
  readonly key: string;
  readonly acknowledge: (entries: readonly StreamEntry[]) => Promise<void>;
}

const BLOCK_MS = 5_000;
/** An answer that takes this much longer is lost. */
const GRACE_MS = 5_000;
const BEGINNING = '0-0';
/** A reader that has not read for so many turns of taking over has ended. */
const ENDED_AFTER_CLAIMS = 40;

export interface SourceSettings {
  /** Entries of one read. */
  readonly batch: number;
  /** After this time, entries that another reader has not acknowledged are taken over. */
  readonly claimAfterMs: number;
}

/**
 * The entries of one stream, read as a member of the group of history. First come those that this reader was
 * given before, because an answer may have been lost; then those of readers that have died, from time to
 * time; then new ones.
 */
export class EntrySource {
  readonly #connection: RedisConnection;
  /** Position among this reader's pending entries; null: all are read. */
  #pendingAfter: string | null = BEGINNING;
  #claimAt = 0;
  #claimFrom = BEGINNING;

  constructor(
    private readonly redis: RedisConnection,
    readonly stream: SharedStream,
    private readonly consumer: string,
    private readonly settings: SourceSettings,
  ) {
    this.#connection = openSubscriber(redis);
  }

  /**
   * The next entries, each of which no other reader gets, unless this one does not acknowledge it in time.
   * Waits for the first one, but not long. Rejects when Redis does not answer.
   */
  async read(): Promise<readonly StreamEntry[]> {
    try {
      return (await this.readPending()) ?? (await this.claim()) ?? (await this.readNew());
    } catch (error) {
      this.#pendingAfter = BEGINNING;
      if (!(error as Error).message.startsWith('NOGROUP')) throw error;
      await this.createGroup();
      return [];
    }
  }

  /** Deletes entries that are written. Rejects when Redis does not answer; repeating it is safe. */
  async acknowledge(entries: readonly StreamEntry[]): Promise<void> {
    if (entries.length > 0) await this.stream.acknowledge(entries);
  }

  /**
   * Ends a read that waits. The reader stays in the group: Redis may be giving it an entry at this moment,
   * which would be lost with its membership.
   */
  close(): void {
    this.#connection.disconnect();
  }

  private async createGroup(): Promise<void> {
    try {
      await this.redis.xgroup('CREATE', this.stream.key, HISTORY_GROUP, '0', 'MKSTREAM');
    } catch (error) {
      if (!(error as Error).message.startsWith('BUSYGROUP')) throw error;
    }
  }

  /** Null: there are none. */
  private async readPending(): Promise<readonly StreamEntry[] | null> {
    if (this.#pendingAfter === null) return null;
    const entries = await this.readGroup(this.redis, this.#pendingAfter);
    this.#pendingAfter = entries.at(-1)?.[0] ?? null;
    return entries.length > 0 ? this.present(entries) : null;
  }

  /** Null: it is not time, or there are none. */
  private async claim(): Promise<readonly StreamEntry[] | null> {
    const now = performance.now();
    if (now < this.#claimAt) return null;
    const { batch, claimAfterMs } = this.settings;
    const [next, entries] = (await this.redis.xautoclaim(
      this.stream.key,
      HISTORY_GROUP,
      this.consumer,
      claimAfterMs,
      this.#claimFrom,
      'COUNT',
      batch,
    )) as [string, [string, string[] | null][]];
    this.#claimFrom = next;
    if (next === BEGINNING) {
      this.#claimAt = now + claimAfterMs;
      // Readers are named after processes, which end.
      const idleMs = ENDED_AFTER_CLAIMS * claimAfterMs;
      await removeIdleMembers(this.redis, this.stream.key, HISTORY_GROUP, idleMs);
    }
    return entries.length > 0 ? this.present(entries) : null;
  }

  private async readNew(): Promise<readonly StreamEntry[]> {
    const untilClaim = Math.ceil(this.#claimAt - performance.now());
    const blockMs = Math.max(1, Math.min(BLOCK_MS, untilClaim));
    const waiting = this.readGroup(this.#connection, '>', blockMs);
    try {
      return this.present(await within(waiting, blockMs + GRACE_MS, 'reading a stream'));
    } catch (error) {
      waiting.catch(() => undefined);
      if (this.#connection.status === 'ready') this.#connection.disconnect(true);
      throw error;
    }
  }

  private async readGroup(redis: RedisConnection, after: string, blockMs = 0) {
    const { key } = this.stream;
    const read = ['GROUP', HISTORY_GROUP, this.consumer, 'COUNT', this.settings.batch] as const;
    const reply =
      blockMs > 0
        ? await redis.xreadgroup(...read, 'BLOCK', blockMs, 'STREAMS', key, after)
        : await redis.xreadgroup(...read, 'STREAMS', key, after);
    return reply?.[0]?.[1] ?? [];
  }

  /** The entries that still exist; the others were deleted after they were given to this reader. */
  private async present(entries: [string, string[] | null][]): Promise<readonly StreamEntry[]> {
    const deletedIds = entries.filter(([, pairs]) => pairs === null).map(([id]) => id);
    if (deletedIds.length > 0) await this.redis.xack(this.stream.key, HISTORY_GROUP, ...deletedIds);
    return entries.flatMap(([id, pairs]) => (pairs === null ? [] : { id, pairs }));
  }
}

export const REFUSALS = 'refusals';

/** The stream of refused requests. */
export function sourceOfRefusals(
  redis: RedisConnection,
  replica: string,
  settings: SourceSettings,
): EntrySource {
  const key = REFUSALS_KEY;
  const acknowledge = async (entries: readonly StreamEntry[]) => {
    const ids = entries.map(({ id }) => id);
    await redis.xack(key, HISTORY_GROUP, ...ids);
    await redis.xdel(key, ...ids);
  };
  return new EntrySource(redis, { name: REFUSALS, key, acknowledge }, replica, settings);
}

/** The stream of a sponsor's ended sponsorships. */
export function sourceOfSponsorships(
  redis: CoinStoreRedis,
  sponsor: string,
  replica: string,
  settings: SourceSettings,
): EntrySource {
  const acknowledge = async (entries: readonly StreamEntry[]) => {
    const written = entries.map(({ id, pairs }) => ({
      entry: id,
      reservationId: Number(fieldOf(pairs, 'id')),
      digest: fieldOf(pairs, 'digest'),
    }));
    await acknowledgeHistory(redis, sponsor, written);
  };
  const stream = { name: sponsor, key: historyStreamKey(sponsor), acknowledge };
  return new EntrySource(redis, stream, replica, settings);
}
