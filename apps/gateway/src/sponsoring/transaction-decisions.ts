import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError, type FoundReservation, writeDecisionFacts } from '@forecourt/contracts';
import type { DecodedTransaction, Ledger, LedgerStatus, ObjectReference } from '@forecourt/ledger';
import { type AccessSubject, HookCaller, mayAllowAbstractAccounts } from '@forecourt/policy/access';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { LRUCache } from 'lru-cache';
import { AccessAudit } from '../access/access-audit.js';
import { AccessPolicy } from '../access/access-policy.js';
import { type AccessPreview, previewAccess } from '../access/access-preview.js';
import { nameOfRefusing } from '../access/access-refusal.js';
import { CallerLimits } from '../access/caller-limits.js';
import { Pauses } from '../access/pauses.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { ForecastChecks } from './forecast-checks.js';
import { LedgerChecks } from './ledger-checks.js';
import { QueueBound } from './queue-bound.js';
import { AFTER_LOOK_UP, RefusalLimit, WITHOUT_LOOK_UP } from './refusal-limit.js';
import { ReservationsService, type SponsoringCall } from './reservations.service.js';
import {
  type ClaimTerms,
  type DecisionServices,
  TransactionDecision,
} from './transaction-decision.js';
import { type PresentedTransaction, type PricedSubject, DecisionFacts } from './decision-facts.js';
import {
  type ExecuteRequest,
  type SignedTransaction,
  TransactionReader,
} from './transaction-reader.js';

/**
 * Time after a used-up limit of a token for which the gateway reads its counters before it calls the ledger.
 */
const LIMITED_MS = 60_000;
const MAX_LIMITED = 10_000;

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

/** A transaction that may be claimed. */
export interface DecidedTransaction {
  readonly decision: TransactionDecision;
  readonly terms: ClaimTerms;
  /** No other transaction may use them until this one has ended. */
  readonly inputs: readonly ObjectReference[];
}

/**
 * Decides whether transactions are sponsored, previews such decisions, and has the services with which they
 * are made.
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
    private readonly reader: TransactionReader,
    private readonly facts: DecisionFacts,
    private readonly policy: AccessPolicy,
    private readonly pauses: Pauses,
    private readonly queue: QueueBound,
    private readonly ledgerChecks: LedgerChecks,
    private readonly refusals: RefusalLimit,
    @Inject(GATEWAY_CONFIG) readonly config: GatewayConfig,
    readonly audit: AccessAudit,
    readonly hooks: HookCaller,
    readonly limits: CallerLimits,
    readonly coinPool: CoinPoolClient,
    readonly reservations: ReservationsService,
    readonly forecasts: ForecastChecks,
  ) {}

  /**
   * The whole way from a transaction to the terms of its claim, in ascending order of cost: the facts, the
   * decision about them, the inputs as the ledger has them, and what the decision has to look up. Once the
   * ledger was asked for it, a refusal counts against the caller. Throws REFUSED_TOO_OFTEN, OVERLOADED, and
   * the errors of `TransactionReader.requireFit`, `prepare`, `TransactionDecision.decide` and
   * `LedgerChecks.check`.
   */
  async decide(
    request: ExecuteRequest,
    transaction: SignedTransaction,
    reservation: FoundReservation,
  ): Promise<DecidedTransaction> {
    const { name } = request.caller;
    this.refusals.requireRoom(name);
    const status = await this.reader.requireFit(transaction, reservation);
    const decision = this.prepare(request, transaction, reservation, status);
    await this.queue.requireRoom();
    const early = await this.refusals.counting(name, WITHOUT_LOOK_UP, () =>
      decision.decideWithoutLookUps(),
    );
    const inputs = await this.ledgerChecks.check(name, request.reservationId, transaction);
    const decide = () => early ?? decision.decide();
    const terms = await this.refusals.counting(name, AFTER_LOOK_UP, decide);
    return { decision, terms, inputs };
  }

  /**
   * Gathers the facts about a signed transaction, for the decision by the rules that are in force now. Throws
   * PAUSED, STORE_UNREACHABLE, and SIGNATURE_UNSUPPORTED for an abstract account that no rule can allow.
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
    const subject = this.facts.gather(request, transaction, reservation, referenceGasPrice, rules);
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
    const subject = this.facts.gather(signed, transaction, reservation, referenceGasPrice, rules);
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
}
