import { HISTORY_GROUP, REFUSALS_KEY } from '@forecourt/contracts';
import type { RedisConnection } from '@forecourt/runtime/redis';
import type { EntrySource, StreamEntry } from './entry-source.js';
import { GroupReader, type GroupReaderSettings } from './group-reader.js';

export const REFUSALS = 'refusals';

/** The stream of refused requests. */
export class RefusalSource implements EntrySource {
  readonly name = REFUSALS;
  private readonly reader: GroupReader;

  constructor(
    private readonly redis: RedisConnection,
    consumer: string,
    settings: GroupReaderSettings,
  ) {
    this.reader = new GroupReader(redis, REFUSALS_KEY, consumer, settings);
  }

  read(): Promise<readonly StreamEntry[]> {
    return this.reader.read();
  }

  async acknowledge(entries: readonly StreamEntry[]): Promise<void> {
    const ids = entries.map(({ id }) => id);
    if (ids.length === 0) return;
    await this.redis.xack(REFUSALS_KEY, HISTORY_GROUP, ...ids);
    await this.redis.xdel(REFUSALS_KEY, ...ids);
  }

  close(): void {
    this.reader.close();
  }
}
