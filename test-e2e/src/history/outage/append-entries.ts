import { historyStreamKey } from '@forecourt/coin-store';
import type { SettledResult } from '@forecourt/contracts';
import { firstReservationAt } from '@forecourt/sponsorship';
import type { Redis } from 'ioredis';

const ENTRIES_PER_CALL = 1_000;
/** Reservation ids of one millisecond. */
const IDS_PER_MS = 8_192;
const HOUR_MS = 3_600_000;

/**
 * Appends as many entries as an hour of sponsoring leaves, each like the first one of the stream, but with
 * another reservation, of the hour before `before`, and another digest. Returns the gas of one. Throws if the
 * stream is empty.
 */
export async function appendEntries(
  redis: Redis,
  sponsor: string,
  { entries, before }: { readonly entries: number; readonly before: number },
): Promise<bigint> {
  const stream = historyStreamKey(sponsor);
  const [first] = await redis.xrange(stream, '-', '+', 'COUNT', 1);
  if (first === undefined) throw new Error(`${stream} has no entry to copy`);
  const [, pairs] = first;
  const valueAt = (field: string) => pairs.indexOf(field) + 1;
  const [idAt, digestAt] = [valueAt('id'), valueAt('digest')];
  for (let from = 0; from < entries; from += ENTRIES_PER_CALL) {
    const ids: string[] = [];
    const appended = redis.pipeline();
    for (let n = from; n < Math.min(entries, from + ENTRIES_PER_CALL); n++) {
      const time = before - HOUR_MS + Math.floor((n * HOUR_MS) / entries);
      const id = String(firstReservationAt(time) + (n % IDS_PER_MS));
      ids.push(id);
      appended.xadd(stream, '*', ...pairs.with(idAt, id).with(digestAt, `${pairs[digestAt]}${n}`));
    }
    const added = (await appended.exec())!.map(([error, entry]) => {
      if (error) throw error;
      return entry as string;
    });
    // As the script of a pool does, by which the gateway finds an ended sponsorship.
    const members = ids.flatMap((id, index) => [id, `${id}|${added[index]}`]);
    const digests = ids.flatMap((id, index) => [`${pairs[digestAt]}${from + index}`, id]);
    await redis.zadd(`${stream}-index`, ...members);
    await redis.hset(`${stream}-digests`, ...digests);
  }
  const result = JSON.parse(pairs[valueAt('result')]!) as SettledResult;
  const { computation, storage, rebate } = result;
  return BigInt(computation) + BigInt(storage) - BigInt(rebate);
}
