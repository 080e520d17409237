import { ForecourtError, type GasCoinReference } from '@forecourt/contracts';
import { type DecodedTransaction, MAX_NAMED_OBJECTS } from '@forecourt/ledger';

/** The part of a reservation that a transaction must match. */
export interface SponsoredReservation {
  readonly sponsor: string;
  readonly gasBudget: number;
  readonly coins: readonly GasCoinReference[];
}

/**
 * Checks that a reservation may pay for a transaction: exactly the reserved coins pay gas, are used for
 * nothing else, and pay no more than the reserved budget. `epoch`: the ledger's current epoch; null leaves
 * the expiration to the ledger. Throws for the first rule broken: SENDER_IS_SPONSOR, GAS_OWNER_MISMATCH,
 * GAS_COIN_USED, RESERVED_COIN_IS_INPUT, GAS_PAYMENT_MISMATCH, GAS_BUDGET_ABOVE_RESERVED,
 * TRANSACTION_EXPIRED.
 */
export function checkSponsorship(
  transaction: DecodedTransaction,
  reservation: SponsoredReservation,
  epoch: bigint | null,
): void {
  checkParties(transaction, reservation.sponsor);
  checkGasCoinUse(transaction, reservation.coins);
  checkPayment(transaction.gasPayment, reservation.coins);
  checkBudget(transaction.gasBudget, BigInt(reservation.gasBudget));
  checkExpiration(transaction.expirationEpoch, epoch);
}

function checkParties({ sender, gasOwner }: DecodedTransaction, sponsor: string): void {
  if (sender === sponsor) throw new ForecourtError('SENDER_IS_SPONSOR');
  if (gasOwner !== sponsor) {
    throw new ForecourtError('GAS_OWNER_MISMATCH', `expected ${sponsor}, got ${gasOwner}`);
  }
}

function checkGasCoinUse(
  transaction: DecodedTransaction,
  coins: readonly GasCoinReference[],
): void {
  const [use] = transaction.gasCoinUses;
  if (use !== undefined) throw new ForecourtError('GAS_COIN_USED', use);
  const reserved = new Set(coins.map((coin) => coin.objectId));
  const { ownedInputs, receivedInputs, sharedInputs } = transaction;
  const input = [...ownedInputs, ...receivedInputs, ...sharedInputs].find(({ objectId }) =>
    reserved.has(objectId),
  );
  if (input) throw new ForecourtError('RESERVED_COIN_IS_INPUT', input.objectId);
}

function checkPayment(
  payment: readonly GasCoinReference[],
  coins: readonly GasCoinReference[],
): void {
  const missing = new Map(coins.map((coin) => [coin.objectId, coin]));
  for (const paid of payment) {
    const coin = missing.get(paid.objectId);
    if (!coin) throw mismatch(`${paid.objectId} is not reserved, or is named twice`);
    if (coin.version !== paid.version || coin.digest !== paid.digest) {
      throw mismatch(
        `${paid.objectId} is reserved at version ${coin.version}, digest ${coin.digest}`,
      );
    }
    missing.delete(paid.objectId);
  }
  const [left] = missing.keys();
  if (left !== undefined) throw mismatch(`${left} is missing`);
}

function mismatch(detail: string): ForecourtError {
  return new ForecourtError('GAS_PAYMENT_MISMATCH', detail);
}

function checkBudget(budget: bigint, reserved: bigint): void {
  if (budget > reserved) {
    throw new ForecourtError('GAS_BUDGET_ABOVE_RESERVED', `${budget} exceeds ${reserved}`);
  }
}

function checkExpiration(expiration: bigint | null, epoch: bigint | null): void {
  if (expiration !== null && epoch !== null && expiration < epoch) {
    throw new ForecourtError(
      'TRANSACTION_EXPIRED',
      `its last epoch was ${expiration}, the current epoch is ${epoch}`,
    );
  }
}

/**
 * Refuses a transaction whose gas price is above `ratio` times the reference gas price: it would cost the
 * sponsor more and gain its user only speed. `ratio`: an integer. `allowedByRule`: an access rule with its
 * own bound allows the price. Throws GAS_PRICE_TOO_HIGH.
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

/** Refuses a transaction that names too many objects and packages to look up. Throws TOO_MANY_OBJECTS. */
export function checkObjectCount(
  transaction: Pick<
    DecodedTransaction,
    'ownedInputs' | 'receivedInputs' | 'sharedInputs' | 'packages'
  >,
): void {
  const { ownedInputs, receivedInputs, sharedInputs, packages } = transaction;
  const count = ownedInputs.length + receivedInputs.length + sharedInputs.length + packages.length;
  if (count <= MAX_NAMED_OBJECTS) return;
  throw new ForecourtError('TOO_MANY_OBJECTS', `${count} exceed the limit of ${MAX_NAMED_OBJECTS}`);
}
