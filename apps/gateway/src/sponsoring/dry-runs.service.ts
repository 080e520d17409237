import { Inject, Injectable } from '@nestjs/common';
import {
  type BuildTxRequest,
  DEFAULT_BUILD_DURATION_SECS,
  ForecourtError,
  GAS_BUDGET_BOUNDS,
  type ReservedGas,
  type UnpaidTransactionRequest,
} from '@forecourt/contracts';
import {
  type DecodedTransaction,
  type Ledger,
  type SimulatedTransaction,
  suggestGasBudget,
  type UnsignedTransaction,
} from '@forecourt/ledger';
import { TokenBuckets } from '@forecourt/resilience';
import { LEDGER } from '@forecourt/runtime/ledger';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { readUnpaid } from './read-unpaid.js';
import { LedgerChecks } from './ledger-checks.js';
import { AFTER_LOOK_UP, RefusalLimit } from './refusal-limit.js';
import { readSponsor, ReservationsService, type SponsoringCall } from './reservations.service.js';
import { type ReadHeader, TransactionReader } from './transaction-reader.js';
import { consumeOrRefuse } from '../access/consume-or-refuse.js';
import {
  type PreviewedTransaction,
  type TransactionPreview,
  TransactionDecisions,
} from './transaction-decisions.js';

const WINDOW_SECS = 60;

/** A call of dry run or build. */
export interface DryRunCall extends SponsoringCall {
  readonly header: ReadHeader;
}

/** The result of a dry run. */
export interface DryRunOutcome {
  /** With the sponsor's gas data, the budget that it needs or was given, and no coins. */
  readonly transaction: DecodedTransaction;
  readonly preview: TransactionPreview;
  readonly simulated: SimulatedTransaction;
}

/** A transaction that its user can sign, and the coins that are reserved for it. */
export interface BuiltTransaction {
  readonly transaction: DecodedTransaction;
  readonly reserved: ReservedGas;
}

/** Tries transactions out with a sponsor's gas, and completes them with gas. */
@Injectable()
export class DryRunsService {
  /** Each dry run costs a node as much as an execution, and its caller nothing. */
  readonly #limiter: TokenBuckets;
  /** The operator's, within the contract: only reservations at the compatibility port may exceed that. */
  readonly #maxGasBudget: number;

  constructor(
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly reader: TransactionReader,
    private readonly reservations: ReservationsService,
    private readonly decisions: TransactionDecisions,
    private readonly ledgerChecks: LedgerChecks,
    private readonly refusals: RefusalLimit,
  ) {
    const { maxGasBudget, maxDryRunsPerMinute } = config;
    this.#limiter = TokenBuckets.within(WINDOW_SECS, maxDryRunsPerMinute);
    this.#maxGasBudget = Math.min(maxGasBudget, GAS_BUDGET_BOUNDS.max);
  }

  /**
   * Tries a transaction out. Reserves and signs nothing, and counts in no spending limit. Throws PAUSED,
   * STORE_UNREACHABLE, INVALID_REQUEST, FORBIDDEN, DRY_RUN_LIMIT, `InvalidTransactionBytes`,
   * `LedgerUnreachable`, and the errors of `checkSponsorship`, `checkObjectCount`, `LedgerChecks.dryRun` and
   * `CoinPoolClient.readUsages`.
   */
  async tryOut(
    call: DryRunCall,
    request: UnpaidTransactionRequest,
    durationSecs = DEFAULT_BUILD_DURATION_SECS,
  ): Promise<DryRunOutcome> {
    const { caller, header } = call;
    const gasBudget = request.gas_budget ?? this.#maxGasBudget;
    const gasRequest = { gasBudget, durationSecs, sponsor: readSponsor(request.sponsor_address) };
    this.reservations.requireReservable(call, gasRequest);
    await consumeOrRefuse(this.#limiter, caller.name, 'DRY_RUN_LIMIT');
    this.refusals.requireRoom(caller.name);
    const unpaid = readUnpaid(this.ledger, call, request);
    const sponsor = await this.reservations.findSponsor(call, gasRequest);
    const { referenceGasPrice: price } = await this.ledger.status();
    const gas = { owner: sponsor, payment: [], price, budget: BigInt(gasBudget) };
    const tried = this.assemble({ ...unpaid, gas });
    recordAs(tried, call);
    await this.reader.requireFit(tried, { sponsor, gasBudget, coins: [] });
    const simulated = await this.ledgerChecks.dryRun(caller.name, tried);
    // Rules and limits look at the budget: without one from the caller, they use what the transaction needs.
    const needed = BigInt(request.gas_budget ?? this.suggestBudget(simulated, price));
    const transaction = this.assemble({ ...unpaid, gas: { ...gas, budget: needed } });
    const previewed = { transaction, sponsor, durationSecs, header, reservationId: 0, simulated };
    recordAs(transaction, call);
    const preview = await this.decisions.preview(caller, { ...previewed, mayLeaveDust: false });
    return { transaction, preview, simulated };
  }

  /**
   * Completes a transaction with gas: dry-runs it, reserves coins for its cost, and fills them in. Throws
   * TRANSACTION_WOULD_FAIL, SPENDING_LIMIT, REQUEST_LIMIT, and the errors of `tryOut` and
   * `ReservationsService.reserve`.
   */
  async build(call: DryRunCall, request: BuildTxRequest): Promise<BuiltTransaction> {
    const { caller, requestId } = call;
    const durationSecs = request.reserve_duration_secs ?? DEFAULT_BUILD_DURATION_SECS;
    const { transaction, preview, simulated } = await this.tryOut(call, request, durationSecs);
    await this.requireAllowed(call, preview);
    const { status, error = 'the node gives no reason' } = simulated.effects.status;
    if (status !== 'success') throw new ForecourtError('TRANSACTION_WOULD_FAIL', error);
    const gasBudget = Number(transaction.gasBudget);
    const sponsor = readSponsor(request.sponsor_address);
    const reserved = await this.reservations.reserve(call, { gasBudget, durationSecs, sponsor });
    try {
      const built = await this.fillIn(transaction, reserved);
      recordAs(built, call);
      await this.decideAgain(call, built, reserved, { durationSecs, simulated });
      return { transaction: built, reserved };
    } catch (error) {
      const { reservationId } = reserved;
      await this.reservations.releaseUnused({ caller: caller.name, reservationId }, requestId);
      throw error;
    }
  }

  private async fillIn(
    transaction: DecodedTransaction,
    { sponsor, coins }: ReservedGas,
  ): Promise<DecodedTransaction> {
    const { sender, expirationEpoch, gasPrice: price, gasBudget: budget } = transaction;
    const gas = { owner: sponsor, payment: coins, price, budget };
    const kindBytes = this.ledger.kindBytesOf(transaction);
    const built = this.assemble({ kindBytes, sender, gas, expirationEpoch });
    await this.reader.requireFit(built, { sponsor, gasBudget: Number(budget), coins });
    return built;
  }

  /**
   * Asks the access rules again: they may look at the budget and the coins, which the dry run did not have.
   */
  private async decideAgain(
    call: DryRunCall,
    transaction: DecodedTransaction,
    { sponsor, reservationId, mayLeaveDust }: ReservedGas,
    more: Pick<PreviewedTransaction, 'durationSecs' | 'simulated'>,
  ): Promise<void> {
    const { caller, header } = call;
    const previewed = { transaction, sponsor, mayLeaveDust, reservationId, header, ...more };
    await this.requireAllowed(call, await this.decisions.preview(caller, previewed));
  }

  /** A refusal by rules has cost a dry run, and counts against the caller. */
  private async requireAllowed(call: DryRunCall, preview: TransactionPreview): Promise<void> {
    await this.refusals.counting(call.caller.name, AFTER_LOOK_UP, () =>
      this.decisions.requireAllowed(call, preview),
    );
  }

  private assemble(transaction: UnsignedTransaction): DecodedTransaction {
    return this.ledger.decodeTransaction(this.ledger.assembleTransaction(transaction));
  }

  private suggestBudget({ effects }: SimulatedTransaction, gasPrice: bigint): number {
    return Math.min(Number(suggestGasBudget(effects, gasPrice)), this.#maxGasBudget);
  }
}

/**
 * The record of a refusal shows the transaction. Its digest is that of what the user signs only when it has
 * its coins.
 */
function recordAs(
  { bytes, digest, sender, gasOwner, gasPayment }: DecodedTransaction,
  { refusal }: DryRunCall,
): void {
  const transaction = Buffer.from(bytes).toString('base64');
  Object.assign(refusal, { sender, sponsor: gasOwner, transaction });
  if (gasPayment.length > 0) refusal.digest = digest;
}
