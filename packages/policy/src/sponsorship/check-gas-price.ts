import { ForecourtError } from '@forecourt/contracts';
import type { DecodedTransaction } from '@forecourt/ledger';

/**
 * Refuses a transaction whose gas price is above `ratio` times the reference gas price: it would cost the sponsor more
 * and gain its user only speed. `ratio`: an integer. `allowedByRule`: an access rule with its own bound allows the
 * price. Throws GAS_PRICE_TOO_HIGH.
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
