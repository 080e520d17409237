import { WindowCounter } from '@forecourt/admission';
import { Inject, Injectable } from '@nestjs/common';
import {
  type BalanceChange,
  type DecodedTransaction,
  type Ledger,
  LedgerUnreachable,
  type SimulatedTransaction,
  type TransactionEffects,
} from '@forecourt/ledger';
import { type AccessSubject, AccessUndecided } from '@forecourt/policy/access';
import { LEDGER } from '@forecourt/runtime/ledger';
import { consumeOrRefuse } from '../access/caller-limits.js';
import { LedgerChecks } from './ledger-checks.js';
import type { Effects } from './outcomes.js';

/**
 * The JSON, or the arguments, of larger transactions count: they can take a tenth of a second, in which the gateway does
 * nothing else. The rest is as cheap as a signature.
 */
const SMALL_BYTES = 4_096;
const WINDOW_SECS = 10;
const MAX_BYTES = 2_097_152;

/** Time for which the balance changes of an executed transaction are awaited at the node that serves reads. */
const SHOWN_WITHIN_MS = 10_000;

/** Facts about a transaction that access rules look up when one of them asks. */
export type LookedUpFacts = Pick<
  AccessSubject,
  'transactionJson' | 'readArguments' | 'readBalanceChanges'
>;

/** Looks up what access rules ask about a transaction, each once. */
@Injectable()
export class AccessFacts {
  /** Bytes of large transactions whose contents rules have looked at. */
  readonly #lookedAt = WindowCounter.inProcess({ most: MAX_BYTES, seconds: WINDOW_SECS });

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly ledgerChecks: LedgerChecks,
  ) {}

  /**
   * `caller`: its large transactions count, and beyond the limit the facts reject with OVERLOADED. `simulated`: a dry run of
   * the same effect; absent: made at the first use.
   */
  of(
    caller: string,
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
    const count = once(() => this.countLarge(caller, transaction));
    return {
      transactionJson: once(async () => {
        await count();
        return ledger.transactionJson(transaction);
      }),
      readArguments: async (isAsked) => {
        await count();
        return undecidedIfUnreachable(ledger.readArguments(transaction, isAsked));
      },
      readBalanceChanges: once(() => undecidedIfUnreachable(forecast())),
    };
  }

  /** The balance changes of an executed transaction; null: no node shows it yet, or is reachable. */
  async readActualChanges(
    { digest, gasOwner }: DecodedTransaction,
    effects: Effects,
  ): Promise<readonly BalanceChange[] | null> {
    const { ledger } = this;
    try {
      await ledger.waitForLocalExecution(digest, SHOWN_WITHIN_MS);
      const parts = await ledger.readTransactionParts(digest, ['balanceChanges']);
      const { gasUsed } = effects as unknown as TransactionEffects;
      return parts && ledger.readBalanceChanges(parts.balanceChanges, gasOwner, { gasUsed });
    } catch {
      return null;
    }
  }

  private async countLarge(caller: string, { bytes }: DecodedTransaction): Promise<void> {
    const { length } = bytes;
    if (length > SMALL_BYTES) await consumeOrRefuse(this.#lookedAt, caller, 'OVERLOADED', length);
  }
}

/** The function with its first result for every call. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
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
