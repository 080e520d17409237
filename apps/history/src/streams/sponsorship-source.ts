import { acknowledgeHistory, type CoinStoreRedis, historyStreamKey } from '@forecourt/coin-store';
import { type EntrySource, fieldOf, type StreamEntry } from './entry-source.js';
import { GroupReader, type GroupReaderSettings } from './group-reader.js';

/** The stream of a sponsor's ended sponsorships. */
export class SponsorshipSource implements EntrySource {
  private readonly reader: GroupReader;

  constructor(
    private readonly redis: CoinStoreRedis,
    readonly name: string,
    consumer: string,
    settings: GroupReaderSettings,
  ) {
    this.reader = new GroupReader(redis, historyStreamKey(name), consumer, settings);
  }

  read(): Promise<readonly StreamEntry[]> {
    return this.reader.read();
  }

  async acknowledge(entries: readonly StreamEntry[]): Promise<void> {
    const written = entries.map(({ id, pairs }) => ({
      entry: id,
      reservationId: Number(fieldOf(pairs, 'id')),
      digest: fieldOf(pairs, 'digest'),
    }));
    await acknowledgeHistory(this.redis, this.name, written);
  }

  close(): void {
    this.reader.close();
  }
}
