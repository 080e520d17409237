import { ForecourtError } from '@forecourt/contracts';
import type { DecodedTransaction } from '@forecourt/ledger';

/**
 * Refuses a transaction whose gas price is above `ratio` times the ledger's reference price: a higher price costs the
 * sponsor more and buys its user nothing but haste. `allowedByRule`: the operator's rules name a bound of their own.
 * Throws GAS_PRICE_TOO_HIGH.
 */
export function checkGasPrice(
  { gasPrice }: Pick<DecodedTransaction, 'gasPrice'>,
  referenceGasPrice: bigint,
  ratio: number,
  allowedByRule: boolean,
): void {
  const highest = referenceGasPrice * BigInt(ratio);
  if (allowedByRule || gasPrice <= highest) return;
  throw new ForecourtError(
    'GAS_PRICE_TOO_HIGH',
    `${gasPrice} exceeds ${highest}, ${ratio} times the reference gas price`,
  );
}
