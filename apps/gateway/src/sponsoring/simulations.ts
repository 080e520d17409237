import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { DecodedTransaction, DryRun, Ledger, SimulatedTransaction } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { RefusalLimit } from './refusal-limit.js';
import { UndecidedInputs } from './undecided-inputs.js';

/**
 * Pauses between dry runs. Fewer than between looks at objects: each dry run costs a node as much as an
 * execution.
 */
const DRY_RUN_PAUSES_MS = [300, 700, 1_000];

/** Has a node dry-run transactions. */
@Injectable()
export class Simulations {
  /** Dry runs of transactions that are being decided. */
  readonly #simulated = new WeakMap<DecodedTransaction, SimulatedTransaction>();

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly refusals: RefusalLimit,
    private readonly undecided: UndecidedInputs,
  ) {}

  /**
   * Dry-runs a transaction. Throws REFUSED_BY_LEDGER with the ledger's message if validators would not accept
   * it and LEDGER_UNREACHABLE if the node cannot tell (both count against the caller), INPUT_UNDECIDED while
   * the node does not show the sponsor's coins, which the caller cannot influence, and the errors of
   * `UndecidedInputs` while it does not show the rest.
   */
  async dryRun(caller: string, transaction: DecodedTransaction): Promise<SimulatedTransaction> {
    const run = () => this.dryRunUntilGasIsShown(transaction);
    const at = { caller, digest: transaction.digest, pausesMs: DRY_RUN_PAUSES_MS };
    const outcome: DryRun = await this.undecided.decide(at, run, (tried: DryRun) =>
      tried.kind === 'missing' ? { message: tried.message, lookAgain: run } : null,
    );
    if (outcome.kind === 'accepted') {
      this.#simulated.set(transaction, outcome.simulated);
      return outcome.simulated;
    }
    if (outcome.kind === 'behind') throw new ForecourtError('INPUT_UNDECIDED', outcome.message);
    await this.refusals.count(caller);
    if (outcome.kind === 'refused') throw new ForecourtError('REFUSED_BY_LEDGER', outcome.message);
    const cause = new Error(`Dry run undecided: ${outcome.message}`);
    throw new ForecourtError('LEDGER_UNREACHABLE', '', { cause });
  }

  /**
   * The dry run that the checks have made of a transaction, or a new one; null: validators would not accept
   * it, or the node cannot tell. Counts nothing. Throws `LedgerUnreachable`.
   */
  async forecast(transaction: DecodedTransaction): Promise<SimulatedTransaction | null> {
    const known = this.#simulated.get(transaction);
    if (known) return known;
    const tried = await this.dryRunUntilGasIsShown(transaction);
    return tried.kind === 'accepted' ? tried.simulated : null;
  }

  /** The pool hands coins out as soon as they are back, before a node that is behind shows them. */
  private async dryRunUntilGasIsShown(transaction: DecodedTransaction): Promise<DryRun> {
    for (const pause of DRY_RUN_PAUSES_MS) {
      const tried = await this.ledger.dryRun(transaction);
      if (tried.kind !== 'behind') return tried;
      await delay(pause);
    }
    return this.ledger.dryRun(transaction);
  }
}
