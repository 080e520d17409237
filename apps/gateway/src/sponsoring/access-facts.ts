import { ProcessorShares } from '@forecourt/admission';
import { ForecourtError } from '@forecourt/contracts';
import { Inject, Injectable } from '@nestjs/common';
import {
  type DecodedTransaction,
  type Ledger,
  LedgerUnreachable,
  type SimulatedTransaction,
} from '@forecourt/ledger';
import { type AccessSubject, AccessUndecided } from '@forecourt/policy/access';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { LedgerChecks } from './ledger-checks.js';
import { shareOf } from '../access/request-caller.js';

/**
 * A part of a decision counts with the time beyond this: some parts take a tenth of a second, in which the gateway does
 * nothing else.
 */
const FREE_MS = 1;

/** Facts about a transaction that access rules look up when one of them asks. */
export type LookedUpFacts = Pick<
  AccessSubject,
  'transactionJson' | 'readArguments' | 'readBalanceChanges' | 'measure'
>;

/** Looks up what access rules ask about a transaction, each once. */
@Injectable()
export class AccessFacts {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly ledgerChecks: LedgerChecks,
    private readonly processor: ProcessorShares,
  ) {}

  /**
   * `payer`: the caller whose share of the processor the decision takes; without one, `measure` throws OVERLOADED.
   * `simulated`: a dry run of the same effect; absent: made at the first use.
   */
  of(
    payer: Pick<Caller, 'token' | 'name'>,
    transaction: DecodedTransaction,
    simulated?: SimulatedTransaction,
  ): LookedUpFacts {
    const { ledger } = this;
    const forecast = async () => {
      const { effects, balanceChanges } =
        simulated ?? (await this.ledgerChecks.forecast(transaction)) ?? {};
      if (effects?.status.status !== 'success') return null;
      return ledger.readBalanceChanges(balanceChanges, transaction.gasOwner, effects);
    };
    const share = shareOf(payer);
    return {
      transactionJson: once(() => ledger.transactionJson(transaction)),
      readArguments: (isAsked) =>
        undecidedIfUnreachable(ledger.readArguments(transaction, isAsked)),
      readBalanceChanges: once(() => undecidedIfUnreachable(forecast())),
      measure: (work) => {
        if (!this.processor.hasRoom(share)) throw new ForecourtError('OVERLOADED');
        return this.processor.measure(share, work, FREE_MS);
      },
    };
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
