import { ProcessorShares } from '@forecourt/admission';
import { ForecourtError, type FoundReservation } from '@forecourt/contracts';
import { Inject, Injectable } from '@nestjs/common';
import {
  largestSponsorCost,
  type Ledger,
  LedgerUnreachable,
  type SimulatedTransaction,
} from '@forecourt/ledger';
import { type AccessSubject, AccessUndecided } from '@forecourt/policy/access';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import type { CallerRules } from '../access/access-policy.js';
import { Pauses } from '../access/pauses.js';
import { shareOf } from '../access/request-caller.js';
import { Simulations } from './simulations.js';
import type { ExecuteRequest, SignedTransaction } from './transaction-reader.js';

/**
 * A part of a decision counts with the time beyond this: some parts take a tenth of a second, in which the gateway does
 * nothing else.
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

/** The facts about a transaction that access rules ask. Those that cost something are looked up once, and only if asked. */
@Injectable()
export class AccessFacts {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly simulations: Simulations,
    private readonly processor: ProcessorShares,
    private readonly pauses: Pauses,
  ) {}

  /** Where the payer's share of the processor has no room, `measure` throws OVERLOADED. */
  of(
    { caller, payer = caller, simulated, ...presented }: PresentedTransaction,
    transaction: SignedTransaction,
    reservation: Pick<FoundReservation, 'gasBudget' | 'durationSecs' | 'mayLeaveDust'>,
    referenceGasPrice: bigint,
    { dryRun }: CallerRules,
  ): PricedSubject {
    const { reservationId, txBytes, userSig, header } = presented;
    const { gasBudget, durationSecs, mayLeaveDust } = reservation;
    const { ledger } = this;
    const share = shareOf(payer);
    const forecast = once(() => undecidedIfUnreachable(this.forecast(transaction, simulated)));
    return {
      caller: caller.token,
      user: caller.name,
      reservation: { gasBudget, durationSecs },
      at: new Date(),
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
      readArguments: (isAsked) =>
        undecidedIfUnreachable(ledger.readArguments(transaction, isAsked)),
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

  private async forecast(transaction: SignedTransaction, known?: SimulatedTransaction) {
    const { effects, balanceChanges } =
      known ?? (await this.simulations.forecast(transaction)) ?? {};
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
