import { ForecourtError, type GasCoinReference } from '@forecourt/contracts';
import type { DecodedTransaction } from '@forecourt/ledger';

/** The part of a reservation that a transaction must fit. */
export interface SponsoredReservation {
  readonly sponsor: string;
  readonly gasBudget: number;
  readonly coins: readonly GasCoinReference[];
}

/**
 * The rules a transaction keeps to be paid by a reservation: the sponsor's coins pay gas and nothing else, exactly the
 * reserved ones, for no more than the reserved budget (contract, HTTP table). Throws the first breach:
 * SENDER_IS_SPONSOR, GAS_OWNER_MISMATCH, GAS_COIN_USED, RESERVED_COIN_IS_INPUT, GAS_PAYMENT_MISMATCH,
 * GAS_BUDGET_ABOVE_RESERVED, TRANSACTION_EXPIRED.
 * `epoch`: the ledger's now; null leaves the expiration to the ledger.
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
