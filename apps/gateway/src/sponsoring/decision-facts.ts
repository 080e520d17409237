import { ProcessorShares } from '@forecourt/admission';
import { ForecourtError, type FoundReservation } from '@forecourt/contracts';
import {
  type BalanceChange,
  largestSponsorCost,
  type Ledger,
  LedgerUnreachable,
  type SimulatedTransaction,
} from '@forecourt/ledger';
import { type AccessSubject, AccessUndecided } from '@forecourt/policy/access';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { Inject, Injectable } from '@nestjs/common';
import { Pauses } from '../access/pauses.js';
import { shareOf } from '../access/request-caller.js';
import { LedgerChecks } from './ledger-checks.js';
import type { ExecuteRequest, SignedTransaction } from './transaction-reader.js';

/**
 * A part of a decision counts with the time beyond this: some parts take a tenth of a second, in which the
 * gateway does nothing else.
 */
const FREE_MS = 1;

/** The facts about a transaction, at the ledger's current price. */
export interface PricedSubject extends AccessSubject {
  readonly referenceGasPrice: bigint;
  readonly isOfAbstractAccount: boolean;
}

/** The call that presents a transaction, or would present it. */
export interface PresentedTransaction extends Pick<
  ExecuteRequest,
  'caller' | 'reservationId' | 'txBytes' | 'userSig' | 'header'
> {
  /** The caller who pays the processor time of the decision; absent: the one whom it is about. */
  readonly payer?: Pick<Caller, 'token' | 'name'>;
  /** A dry run of the same effect; absent: made if a rule asks for it. */
  readonly simulated?: SimulatedTransaction;
}

/** The part of a reservation that is a fact. */
type ReservationFacts = Pick<FoundReservation, 'gasBudget' | 'durationSecs' | 'mayLeaveDust'>;

/** Gathers the facts about transactions that access rules ask. */
@Injectable()
export class DecisionFacts {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly ledgerChecks: LedgerChecks,
    private readonly pauses: Pauses,
    private readonly processor: ProcessorShares,
  ) {}

  /**
   * Facts that cost something are looked up once, and only if asked. Where the payer's share of the processor
   * has no room, `measure` throws OVERLOADED.
   */
  gather(
    { caller, payer = caller, simulated, ...presented }: PresentedTransaction,
    transaction: SignedTransaction,
    { gasBudget, durationSecs, mayLeaveDust }: ReservationFacts,
    referenceGasPrice: bigint,
    { dryRun }: { readonly dryRun: boolean },
  ): PricedSubject {
    const { reservationId, txBytes, userSig, header } = presented;
    const { ledger } = this;
    const share = shareOf(payer);
    const forecast = once(() => undecidedIfUnreachable(this.forecast(transaction, simulated)));
    return {
      caller: caller.token,
      user: caller.name,
      reservation: { gasBudget, durationSecs },
      time: new Date(),
      sponsor: transaction.gasOwner,
      transaction,
      isOfAbstractAccount: transaction.account !== undefined,
      reservationId,
      txBytes,
      userSig,
      header,
      referenceGasPrice,
      largestCost: largestSponsorCost(transaction, mayLeaveDust),
      transactionJson: once(() => ledger.transactionJson(transaction)),
      readArguments: (isRelevant) =>
        undecidedIfUnreachable(ledger.readArguments(transaction, isRelevant)),
      readBalanceChanges: async () => {
        if (!dryRun) this.pauses.requireForecasts(caller.token);
        return forecast();
      },
      measure: (work) => {
        if (!this.processor.hasRoom(share)) throw new ForecourtError('OVERLOADED');
        return this.processor.measure(share, work, FREE_MS);
      },
    };
  }

  private async forecast(
    transaction: SignedTransaction,
    known?: SimulatedTransaction,
  ): Promise<readonly BalanceChange[] | null> {
    const { effects, balanceChanges } =
      known ?? (await this.ledgerChecks.forecast(transaction)) ?? {};
    if (effects?.status.status !== 'success') return null;
    return this.ledger.readBalanceChanges(balanceChanges, transaction.gasOwner, effects);
  }
}

/** The function with its first result for every call. */
function once<T>(read: () => T): () => T {
  let result: T | undefined;
  return () => (result ??= read());
}

async function undecidedIfUnreachable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (!(cause instanceof LedgerUnreachable)) throw cause;
    throw new AccessUndecided(`the ledger: ${cause.message}`, { cause });
  }
}
