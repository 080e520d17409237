import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import type { LockedInput } from './input-holder.js';

/**
 * Whether a claim still needs an input. `held`: its transaction is in flight; `pending`: it was not made, and may be made any
 * moment; `over`: it has ended, or is given up. `givesUp`: a claim that was not made is given up, and can then be made under
 * a later fence only.
 */
export async function forgoClaim(
  redis: CoinStoreRedis,
  { input, holder }: LockedInput,
  givesUp: boolean,
): Promise<'held' | 'pending' | 'over'> {
  const { sponsor, reservationId, digest, fence } = holder;
  return (await runOnPool(
    redis,
    'forgo-claim',
    sponsor,
    reservationId,
    escapeText(digest),
    fence,
    escapeText(input),
    Number(givesUp),
  )) as 'held' | 'pending' | 'over';
}
