import { HISTORY_GROUP } from '@forecourt/contracts';
import { within } from '@forecourt/runtime/async';
import { openSubscriber, type RedisConnection, removeIdleMembers } from '@forecourt/runtime/redis';
import type { StreamEntry } from './entry-source.js';

const BLOCK_MS = 5_000;
/** An answer that takes this much longer is lost. */
const GRACE_MS = 5_000;
const BEGINNING = '0-0';
/** A reader that has not read for so many turns of taking over has ended. */
const ENDED_AFTER_CLAIMS = 40;

export interface GroupReaderSettings {
  /** Entries of one read. */
  readonly batch: number;
  /** After this time, entries that another reader has not acknowledged are taken over. */
  readonly claimAfterMs: number;
}

/**
 * Reads one stream as a member of the group of history. First come the entries that this reader was given before, because an answer
 * may have been lost; then those of readers that have died, from time to time; then new ones.
 */
export class GroupReader {
  private readonly connection: RedisConnection;
  /** Position among this reader's pending entries; null: all are read. */
  private pendingAfter: string | null = BEGINNING;
  private claimAt = 0;
  private claimFrom = BEGINNING;

  constructor(
    private readonly redis: RedisConnection,
    private readonly key: string,
    private readonly consumer: string,
    private readonly settings: GroupReaderSettings,
  ) {
    this.connection = openSubscriber(redis);
  }

  /** See `EntrySource.read`. */
  async read(): Promise<readonly StreamEntry[]> {
    try {
      return (await this.readPending()) ?? (await this.claim()) ?? (await this.readNew());
    } catch (error) {
      this.pendingAfter = BEGINNING;
      if (!(error as Error).message.startsWith('NOGROUP')) throw error;
      await this.createGroup();
      return [];
    }
  }

  /**
   * Ends a read that waits. The reader stays in the group: Redis may be giving it an entry at this moment, which would be lost with
   * its membership.
   */
  close(): void {
    this.connection.disconnect();
  }

  private async createGroup(): Promise<void> {
    try {
      await this.redis.xgroup('CREATE', this.key, HISTORY_GROUP, '0', 'MKSTREAM');
    } catch (error) {
      if (!(error as Error).message.startsWith('BUSYGROUP')) throw error;
    }
  }

  /** Null: there are none. */
  private async readPending(): Promise<readonly StreamEntry[] | null> {
    if (this.pendingAfter === null) return null;
    const found = await this.readGroup(this.redis, this.pendingAfter);
    this.pendingAfter = found.at(-1)?.[0] ?? null;
    return found.length > 0 ? this.present(found) : null;
  }

  /** Null: it is not time, or there are none. */
  private async claim(): Promise<readonly StreamEntry[] | null> {
    const now = performance.now();
    if (now < this.claimAt) return null;
    const { batch, claimAfterMs } = this.settings;
    const [next, found] = (await this.redis.xautoclaim(
      this.key,
      HISTORY_GROUP,
      this.consumer,
      claimAfterMs,
      this.claimFrom,
      'COUNT',
      batch,
    )) as [string, [string, string[] | null][]];
    this.claimFrom = next;
    if (next === BEGINNING) {
      this.claimAt = now + claimAfterMs;
      // Readers are named after processes, which end.
      const idleMs = ENDED_AFTER_CLAIMS * claimAfterMs;
      await removeIdleMembers(this.redis, this.key, HISTORY_GROUP, idleMs);
    }
    return found.length > 0 ? this.present(found) : null;
  }

  private async readNew(): Promise<readonly StreamEntry[]> {
    const untilClaim = Math.ceil(this.claimAt - performance.now());
    const blockMs = Math.max(1, Math.min(BLOCK_MS, untilClaim));
    const waiting = this.readGroup(this.connection, '>', blockMs);
    try {
      return this.present(await within(waiting, blockMs + GRACE_MS, 'reading a stream'));
    } catch (error) {
      waiting.catch(() => undefined);
      if (this.connection.status === 'ready') this.connection.disconnect(true);
      throw error;
    }
  }

  private async readGroup(redis: RedisConnection, after: string, blockMs = 0) {
    const { key, consumer } = this;
    const { batch } = this.settings;
    const reply =
      blockMs > 0
        ? await redis.xreadgroup(
            'GROUP',
            HISTORY_GROUP,
            consumer,
            'COUNT',
            batch,
            'BLOCK',
            blockMs,
            'STREAMS',
            key,
            after,
          )
        : await redis.xreadgroup(
            'GROUP',
            HISTORY_GROUP,
            consumer,
            'COUNT',
            batch,
            'STREAMS',
            key,
            after,
          );
    return reply?.[0]?.[1] ?? [];
  }

  /** The entries that still exist; the others were deleted after they were given to this reader. */
  private async present(found: [string, string[] | null][]): Promise<readonly StreamEntry[]> {
    const gone = found.filter(([, pairs]) => pairs === null).map(([id]) => id);
    if (gone.length > 0) await this.redis.xack(this.key, HISTORY_GROUP, ...gone);
    return found.flatMap(([id, pairs]) => (pairs === null ? [] : { id, pairs }));
  }
}
