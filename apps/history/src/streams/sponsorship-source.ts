import { acknowledgeHistory, type CoinStoreRedis, historyStreamKey } from '@forecourt/coin-store';
import { HISTORY_GROUP } from '@forecourt/contracts';
import { type EntrySource, fieldOf, type StreamEntry } from './entry-source.js';
import { GroupReader, type GroupReaderSettings } from './group-reader.js';

const NUMBERING = 'numbering:';

/** The member of the group that a replica is; it says that it notes the numbers of what it writes, unlike releases before. */
export const memberNameOf = (replica: string): string => `${NUMBERING}${replica}`;

/** The stream of a sponsor's ended sponsorships. */
export class SponsorshipSource implements EntrySource {
  private readonly reader: GroupReader;

  constructor(
    private readonly redis: CoinStoreRedis,
    readonly name: string,
    replica: string,
    settings: GroupReaderSettings,
  ) {
    this.reader = new GroupReader(redis, historyStreamKey(name), memberNameOf(replica), settings);
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

/**
 * Whether all who write the stream, or did so in the last minutes, note the numbers of its entries. Rejects when Redis does not
 * answer.
 */
export async function areNumbersNoted(redis: CoinStoreRedis, sponsor: string): Promise<boolean> {
  const key = historyStreamKey(sponsor);
  if ((await redis.exists(key)) === 0) return true;
  const groups = (await redis.xinfo('GROUPS', key)) as string[][];
  if (!groups.some((pairs) => fieldOf(pairs, 'name') === HISTORY_GROUP)) return true;
  const members = (await redis.xinfo('CONSUMERS', key, HISTORY_GROUP)) as string[][];
  return members.every((pairs) => fieldOf(pairs, 'name').startsWith(NUMBERING));
}
