import { readEscaped } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** A caller can have no more that count. */
const MOST = 1_000;

/** How long ago each quarantine of a pool began that counts against its caller, in ms, by caller. */
export async function listQuarantines(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<Map<string, number[]>> {
  const flat = (await runOnPool(redis, 'list-quarantines', sponsor, MOST)) as (string | number)[];
  const byCaller = new Map<string, number[]>();
  for (let i = 0; i < flat.length; i += 2) {
    const caller = readEscaped(String(flat[i]));
    byCaller.set(caller, [...(byCaller.get(caller) ?? []), Number(flat[i + 1])]);
  }
  return byCaller;
}
