import { Inject, Injectable } from '@nestjs/common';
import {
  DEFAULT_BUILD_DURATION_SECS,
  GAS_BUDGET_BOUNDS,
  type UnpaidTransactionRequest,
} from '@forecourt/contracts';
import {
  type DecodedTransaction,
  type Ledger,
  type SimulatedTransaction,
  suggestGasBudget,
  type UnsignedTransaction,
} from '@forecourt/ledger';
import { checkObjectCount, checkSponsorship } from '@forecourt/policy/sponsorship';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import type { AccessPreview } from '../access/access-preview.js';
import { CallerLimits } from '../access/caller-limits.js';
import { requireOwnSender } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { dryRunOrRefuse } from '../executions/dry-run-or-refuse.js';
import { RefusedExecutions } from '../executions/refused-executions.js';
import { UndecidedInputs } from '../executions/undecided-inputs.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { Pauses } from '../access/pauses.js';
import { readSponsor } from '../reservations/read-sponsor.js';
import { DryRunLimit } from './dry-run-limit.js';
import { PreviewSponsorship } from './preview-sponsorship.js';
import { readUnpaidTransaction } from './read-unpaid-transaction.js';

export interface DryRunOptions {
  /** A header of the request by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** For how long coins would be reserved for it; absent: as for a built transaction. */
  readonly durationSecs?: number | null | undefined;
}

/** What would happen to a transaction. */
export interface DryRunOutcome {
  /** With the sponsor's gas data, the budget that it needs or was given, and no coins. */
  readonly transaction: DecodedTransaction;
  readonly preview: AccessPreview;
  readonly simulated: SimulatedTransaction;
}

/** Tries a transaction out with a sponsor's gas. Reserves and signs nothing, and counts in no spending limit. */
@Injectable()
export class DryRunTx {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'maxGasBudget'>,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly limit: DryRunLimit,
    private readonly limits: CallerLimits,
    private readonly coinPool: CoinPoolClient,
    private readonly preview: PreviewSponsorship,
    private readonly refused: RefusedExecutions,
    private readonly undecided: UndecidedInputs,
    private readonly pauses: Pauses,
  ) {}

  /**
   * Throws PAUSED, STORE_UNREACHABLE, INVALID_REQUEST, FORBIDDEN, DRY_RUN_LIMIT, REFUSED_TOO_OFTEN, REFUSED_BY_LEDGER,
   * INPUT_UNDECIDED, LEDGER_UNREACHABLE,
   * `InvalidTransactionBytes`, `LedgerUnreachable`, and what `checkSponsorship`, `checkObjectCount` and
   * `CoinPoolClient.readUsages` throw.
   */
  async run(
    caller: Caller,
    request: UnpaidTransactionRequest,
    { header, durationSecs: asked }: DryRunOptions,
  ): Promise<DryRunOutcome> {
    const budget = request.gas_budget ?? this.maxGasBudget;
    const durationSecs = asked ?? DEFAULT_BUILD_DURATION_SECS;
    const chosen = readSponsor(request.sponsor_address);
    this.pauses.requireRunning({ token: caller.token, sponsor: chosen });
    this.limits.checkReservation(caller, { gasBudget: budget, durationSecs, sponsor: chosen });
    await this.limit.count(caller.name);
    this.refused.requireRoom(caller.name);
    const unpaid = readUnpaidTransaction(this.ledger, request);
    requireOwnSender(caller, unpaid.sender);
    const { sponsor } = await this.coinPool.readUsages({
      counters: [],
      ...(chosen !== undefined && { sponsor: chosen }),
    });
    // Only now is it known which sponsor would pay, if the caller has not chosen one.
    this.pauses.requireRunning({ token: caller.token, sponsor });
    const { referenceGasPrice, epoch } = await this.ledger.status();
    const gas = { owner: sponsor, payment: [], price: referenceGasPrice, budget: BigInt(budget) };
    const tried = this.assemble({ ...unpaid, gas });
    checkObjectCount(tried);
    checkSponsorship(tried, { sponsor, gasBudget: budget, coins: [] }, epoch);
    const { ledger, refused, undecided } = this;
    const simulated = await dryRunOrRefuse({ ledger, refused, undecided }, caller.name, tried);
    // Rules and limits look at the budget: if the caller names none, it is what the transaction needs.
    const needed = BigInt(request.gas_budget ?? this.suggestBudget(simulated, referenceGasPrice));
    const transaction = this.assemble({ ...unpaid, gas: { ...gas, budget: needed } });
    const execution = { transaction, sponsor, durationSecs, mayLeaveDust: false, header };
    const preview = await this.preview.run(caller, { ...execution, reservationId: 0 });
    return { transaction, preview, simulated };
  }

  private assemble(transaction: UnsignedTransaction): DecodedTransaction {
    return this.ledger.decodeTransaction(this.ledger.assembleTransaction(transaction));
  }

  private suggestBudget({ effects }: SimulatedTransaction, gasPrice: bigint): number {
    return Math.min(Number(suggestGasBudget(effects, gasPrice)), this.maxGasBudget);
  }

  /** The operator's, within the contract: only reservations at the compatibility port may exceed that. */
  private get maxGasBudget(): number {
    return Math.min(this.config.maxGasBudget, GAS_BUDGET_BOUNDS.max);
  }
}
