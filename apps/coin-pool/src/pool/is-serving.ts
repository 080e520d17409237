import { type CoinStoreRedis, readDrain } from '@forecourt/coin-store';
import type { Signers } from '@forecourt/runtime/signers';

/** Whether a sponsor gives reservations: its key is configured, and it is not drained. */
export async function isServing(
  { redis, keys }: { readonly redis: CoinStoreRedis; readonly keys: Pick<Signers, 'isConfigured'> },
  sponsor: string,
): Promise<boolean> {
  return keys.isConfigured(sponsor) && (await readDrain(redis, sponsor)).drain === null;
}
