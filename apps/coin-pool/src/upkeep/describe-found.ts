import type { FoundTransaction } from '@forecourt/coin-store';
import { type ExecutedTransaction, type GasCoin, netGas } from '@forecourt/ledger';
import { idWithoutReservation } from '@forecourt/sponsorship';

/** The pool in which a transaction is counted. */
interface Finder {
  readonly sponsor: string;
  /** Of the sponsor. */
  readonly index: number;
  /** The coins of the reservation that holds the coin which paid; none without one. */
  readonly reserved: readonly GasCoin[];
}

/** A transaction that a sponsor has paid for, as its pool counts and records it. */
export function describeFound(
  transaction: ExecutedTransaction,
  { sponsor, index, reserved }: Finder,
): FoundTransaction {
  const { digest, effects, sender, commands, gasBudget, gasPayment } = transaction;
  const gasCharged = netGas(effects);
  if (sender === sponsor) return { digest, gasCharged, sponsorship: null };
  const { computationCost, storageCost, storageRebate } = effects.gasUsed;
  const { status, error } = effects.status;
  const executedAt = transaction.executedAt ?? Date.now();
  return {
    digest,
    gasCharged,
    sponsorship: {
      id: idWithoutReservation(executedAt, index, hashOf(digest)),
      executedAt,
      gasBudget,
      payment: gasPayment,
      result: {
        outcome: status === 'success' ? 'success' : 'failure',
        ...(error !== undefined && { failure: error }),
        computation: computationCost,
        storage: storageCost,
        rebate: storageRebate,
      },
      sender,
      commands,
      isBound: areSameCoins(gasPayment, reserved),
    },
  };
}

type Versioned = Pick<GasCoin, 'objectId' | 'version'>;

function areSameCoins(payment: readonly Versioned[], reserved: readonly Versioned[]): boolean {
  const names = new Set(reserved.map(({ objectId, version }) => `${objectId}@${version}`));
  return (
    payment.length === names.size &&
    payment.every(({ objectId, version }) => names.has(`${objectId}@${version}`))
  );
}

/** Spreads the records of one checkpoint over the ids of its time. */
function hashOf(digest: string): number {
  return [...digest].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 65_536, 0);
}
