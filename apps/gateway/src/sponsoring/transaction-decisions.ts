import { ProcessorShares } from '@forecourt/admission';
import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError, type FoundReservation, writeDecisionFacts } from '@forecourt/contracts';
import {
  type DecodedTransaction,
  largestSponsorCost,
  type Ledger,
  type LedgerStatus,
  LedgerUnreachable,
  type SimulatedTransaction,
} from '@forecourt/ledger';
import {
  type AccessSubject,
  AccessUndecided,
  HookCaller,
  mayAllowAbstractAccounts,
} from '@forecourt/policy/access';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { LRUCache } from 'lru-cache';
import { AccessAudit } from '../access/access-audit.js';
import { AccessPolicy, type CallerRules } from '../access/access-policy.js';
import { type AccessPreview, previewAccess } from '../access/access-preview.js';
import { nameOfRefusing } from '../access/access-refusal.js';
import { CallerLimits } from '../access/caller-limits.js';
import { Pauses } from '../access/pauses.js';
import { shareOf } from '../access/request-caller.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { ForecastChecks } from './forecast-checks.js';
import { ReservationsService, type SponsoringCall } from './reservations.service.js';
import { Simulations } from './simulations.js';
import {
  type DecisionServices,
  type PricedSubject,
  TransactionDecision,
} from './transaction-decision.js';
import type { ExecuteRequest, SignedTransaction } from './transaction-reader.js';

/**
 * Time after a used-up limit of a token for which the gateway reads its counters before it calls the ledger.
 */
const LIMITED_MS = 60_000;
const MAX_LIMITED = 10_000;

/**
 * A part of a decision counts with the time beyond this: some parts take a tenth of a second, in which the
 * gateway does nothing else.
 */
const FREE_MS = 1;

/** The call that presents a transaction, or would present it. */
interface PresentedTransaction extends Pick<
  ExecuteRequest,
  'caller' | 'reservationId' | 'txBytes' | 'userSig' | 'header'
> {
  /** The caller who pays the processor time of the decision; absent: the one whom it is about. */
  readonly payer?: Pick<Caller, 'token' | 'name'>;
  /** A dry run of the same effect; absent: made if a rule asks for it. */
  readonly simulated?: SimulatedTransaction;
}

/**
 * A transaction that its user has not signed yet, as it would be executed; reservation 0: no coins are
 * reserved yet.
 */
export interface PreviewedTransaction extends Pick<
  PresentedTransaction,
  'header' | 'payer' | 'reservationId' | 'simulated'
> {
  readonly transaction: DecodedTransaction;
  readonly sponsor: string;
  readonly durationSecs: number;
  /** If the whole budget is used, the rest of the coins may be dust. */
  readonly mayLeaveDust: boolean;
}

/** The decision about a transaction that is not signed yet, and the facts that it rests on. */
export interface TransactionPreview extends AccessPreview {
  readonly subject: PricedSubject;
}

/**
 * Gathers the facts about transactions, prepares or previews the decisions whether they are sponsored, and
 * has the services with which these are made.
 */
@Injectable()
export class TransactionDecisions implements DecisionServices {
  readonly limited = new LRUCache<string, true>({
    max: MAX_LIMITED,
    ttl: LIMITED_MS,
    ttlResolution: 0,
  });

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly policy: AccessPolicy,
    private readonly pauses: Pauses,
    private readonly simulations: Simulations,
    private readonly processor: ProcessorShares,
    @Inject(GATEWAY_CONFIG) readonly config: GatewayConfig,
    readonly audit: AccessAudit,
    readonly hooks: HookCaller,
    readonly limits: CallerLimits,
    readonly coinPool: CoinPoolClient,
    readonly reservations: ReservationsService,
    readonly forecasts: ForecastChecks,
  ) {}

  /**
   * Prepares the decision about a signed transaction, by the rules that are in force now. Throws PAUSED,
   * STORE_UNREACHABLE, and SIGNATURE_UNSUPPORTED for an abstract account that no rule can allow.
   */
  prepare(
    request: ExecuteRequest,
    transaction: SignedTransaction,
    reservation: FoundReservation,
    { referenceGasPrice }: LedgerStatus,
  ): TransactionDecision {
    const { caller } = request;
    const { sponsor } = reservation;
    this.pauses.requireRunning({ token: caller.token, sponsor });
    const rules = this.policy.rulesOf(caller);
    const subject = this.factsOf(request, transaction, reservation, referenceGasPrice, rules);
    const facts = writeDecisionFacts({ ...subject, ...subject.reservation });
    request.refusal.facts = facts;
    this.requireAllowedAccount(subject, mayAllowAbstractAccounts(rules.ruleSet));
    return new TransactionDecision(this, request, sponsor, subject, facts, rules);
  }

  requireAllowedAccount(
    { isOfAbstractAccount, userSig }: AccessSubject,
    allowedByRule: boolean,
  ): void {
    if (!isOfAbstractAccount || this.config.allowAbstractAccounts || allowedByRule) return;
    const reason = this.ledger.unsupportedSignature(userSig) ?? '';
    throw new ForecourtError('SIGNATURE_UNSUPPORTED', reason);
  }

  /**
   * Previews the decision about a transaction that is not signed yet. No hook is called.
   * Throws PAUSED, `LedgerUnreachable`, and the errors of `CoinPoolClient.readUsages`.
   */
  async preview(caller: Caller, previewed: PreviewedTransaction): Promise<TransactionPreview> {
    const { transaction, sponsor } = previewed;
    const { referenceGasPrice } = await this.ledger.status();
    const txBytes = Buffer.from(transaction.bytes).toString('base64');
    const signed = { ...previewed, caller, txBytes, userSig: '' };
    const reservation = { ...previewed, gasBudget: Number(transaction.gasBudget) };
    const rules = this.policy.rulesOf(caller);
    const subject = this.factsOf(signed, transaction, reservation, referenceGasPrice, rules);
    const preview = await previewAccess(subject, rules, async (counters) => {
      const { usages } = await this.coinPool.readUsages({ sponsor, counters });
      return usages;
    });
    return { ...preview, subject };
  }

  /**
   * Throws what a preview refuses a transaction with that is being built, recorded and audited as that of an
   * execution.
   */
  requireAllowed(
    { requestId, refusal }: SponsoringCall,
    { refusal: error, refusedBy, subject }: TransactionPreview,
  ): void {
    if (error === null || refusedBy === null) return;
    const { outcome, rule } = refusedBy;
    refusal.facts = writeDecisionFacts({ ...subject, ...subject.reservation });
    refusal.rule = nameOfRefusing(refusedBy);
    this.audit.write({ requestId, stage: 'build', outcome, rule, subject, dryRun: false });
    throw error;
  }

  /**
   * The facts that access rules ask. Those that cost something are looked up once, and only if asked. Where
   * the payer's share of the processor has no room, `measure` throws OVERLOADED.
   */
  private factsOf(
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
