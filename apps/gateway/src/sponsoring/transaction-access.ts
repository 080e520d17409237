import { Inject, Injectable } from '@nestjs/common';
import {
  type ClaimReservationMessage,
  type CurrentUsage,
  type AssumedChanges,
  type ExpectedUsage,
  FORECAST_VERSION,
  ForecourtError,
  type FoundReservation,
  TOTAL_WINDOW_MS,
  writeDecisionFacts,
  type TransactionEffects,
} from '@forecourt/contracts';
import {
  type DecodedTransaction,
  largestSponsorCost,
  type Ledger,
  type LedgerStatus,
  type SimulatedTransaction,
} from '@forecourt/ledger';
import {
  type AccessDecision,
  type AccessSubject,
  AccessUndecided,
  changesAssumedBy,
  claimedComparison,
  decideAccess,
  type Hook,
  type HookAnswer,
  HookCaller,
  type KnownUsage,
  mayAllowAbstractAccounts,
  type RuleTrace,
  type UsageCheck,
} from '@forecourt/policy/access';
import { checkGasPrice } from '@forecourt/policy/sponsorship';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { LRUCache } from 'lru-cache';
import { AccessAudit, type AuditedDecision } from '../access/access-audit.js';
import { AccessPolicy, accessRefusal, type CallerRules } from '../access/access-policy.js';
import { type AccessPreview, previewAccess } from '../access/access-preview.js';
import { CallerLimits } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { Pauses } from '../access/pauses.js';
import { ReservationsService, type SponsoringCall } from './reservations.service.js';
import { AccessFacts } from './access-facts.js';
import { ForecastChecks } from './forecast-checks.js';
import type { ExecuteRequest, ReadHeader, SignedTransaction } from './transaction-reader.js';

/** Time after a used-up limit of a token for which the gateway reads its counters before it calls the ledger. */
const LIMITED_MS = 60_000;
const MAX_LIMITED = 10_000;

/** A transaction that its user has not signed yet, as it would be executed. */
export interface PreviewedTransaction {
  readonly transaction: DecodedTransaction;
  readonly sponsor: string;
  readonly durationSecs: number;
  /** If the whole budget is used, the rest of the coins may be dust. */
  readonly mayLeaveDust: boolean;
  /** 0: no coins are reserved yet. */
  readonly reservationId: number;
  readonly header: ReadHeader;
  /** The caller who pays the processor time of the decision; absent: the one whom it is about. */
  readonly payer?: Pick<Caller, 'token' | 'name'>;
  /** A dry run of the same effect; absent: made if a rule asks for it. */
  readonly simulated?: SimulatedTransaction;
}

/** The decision about a transaction that is not signed yet, and the facts that it rests on. */
export interface TransactionPreview extends AccessPreview {
  readonly subject: PricedSubject;
}

/** Name of the rule that refuses, or whose limit does; empty: none does. */
function nameOfRefusing({ limit, rule }: AccessDecision): string {
  return limit?.rule?.name ?? rule?.name ?? '';
}

/** The facts about a transaction, at the ledger's current price. */
interface PricedSubject extends AccessSubject {
  readonly referenceGasPrice: bigint;
  readonly isOfAbstractAccount: boolean;
}

/** Decides by pauses, access rules, hooks and limits whether a transaction is sponsored. Its decisions use what is public. */
@Injectable()
export class TransactionAccess {
  /** Tokens with a limit that was found used up. Others of its limits may have room meanwhile. */
  readonly limited = new LRUCache<string, true>({
    max: MAX_LIMITED,
    ttl: LIMITED_MS,
    ttlResolution: 0,
  });

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly policy: AccessPolicy,
    private readonly pauses: Pauses,
    @Inject(GATEWAY_CONFIG) readonly config: GatewayConfig,
    readonly audit: AccessAudit,
    readonly hooks: HookCaller,
    readonly limits: CallerLimits,
    readonly coinPool: CoinPoolClient,
    readonly reservations: ReservationsService,
    readonly facts: AccessFacts,
    readonly forecasts: ForecastChecks,
  ) {}

  /**
   * Prepares the decision about a signed transaction, by the rules that are in force now. Throws PAUSED, STORE_UNREACHABLE, and
   * SIGNATURE_UNSUPPORTED for an abstract account that no rule can allow.
   */
  prepareDecision(
    request: ExecuteRequest,
    transaction: SignedTransaction,
    reservation: FoundReservation,
    { referenceGasPrice }: LedgerStatus,
  ): TransactionDecision {
    const { caller } = request;
    const { sponsor } = reservation;
    this.pauses.requireRunning({ token: caller.token, sponsor });
    const rules = this.policy.rulesOf(caller);
    const subject = this.subjectOf(request, transaction, reservation, referenceGasPrice, rules);
    const facts = writeDecisionFacts({ ...subject, ...subject.reservation });
    request.refusal.facts = facts;
    this.requireAllowedAccount(subject, mayAllowAbstractAccounts(rules.ruleSet));
    return new TransactionDecision(this, request, sponsor, subject, facts, rules);
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
    const subject = this.subjectOf(signed, transaction, reservation, referenceGasPrice, rules);
    const preview = await previewAccess(subject, rules, async (counters) => {
      const { usages } = await this.coinPool.readUsages({ sponsor, counters });
      return usages;
    });
    return { ...preview, subject };
  }

  /** Throws what a preview refuses a transaction with that is being built, recorded and audited as that of an execution. */
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

  /** `signed`: the call that presents the transaction, or would present it. */
  private subjectOf(
    signed: Pick<ExecuteRequest, 'caller' | 'reservationId' | 'txBytes' | 'userSig' | 'header'> &
      Pick<PreviewedTransaction, 'simulated' | 'payer'>,
    transaction: SignedTransaction,
    reservation: Pick<FoundReservation, 'gasBudget' | 'durationSecs' | 'mayLeaveDust'>,
    referenceGasPrice: bigint,
    { dryRun }: CallerRules,
  ): PricedSubject {
    const { caller, reservationId, txBytes, userSig, header } = signed;
    const { gasBudget, durationSecs, mayLeaveDust } = reservation;
    const facts = this.facts.of(signed.payer ?? caller, transaction, signed.simulated);
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
      ...facts,
      readBalanceChanges: async () => {
        if (!dryRun) this.pauses.requireForecasts(caller.token);
        return facts.readBalanceChanges();
      },
    };
  }

  /** Throws SIGNATURE_UNSUPPORTED for an abstract account that neither the configuration nor a rule allows. */
  requireAllowedAccount(
    { isOfAbstractAccount, userSig }: AccessSubject,
    allowedByRule: boolean,
  ): void {
    if (!isOfAbstractAccount || this.config.allowAbstractAccounts || allowedByRule) return;
    const reason = this.ledger.unsupportedSignature(userSig) ?? '';
    throw new ForecourtError('SIGNATURE_UNSUPPORTED', reason);
  }
}

/** The terms of a claim that follow from the access decision. */
export type ClaimTerms = Pick<
  ClaimReservationMessage,
  'rule' | 'facts' | 'usage' | 'quarantineLimit'
>;

type AskHook = (hook: Hook) => Promise<HookAnswer>;

/** A decision depends on a hook that has not been called yet, or on facts that the ledger has not been asked for. */
class LookUpNeeded extends Error {}

const needLookUp = () => Promise.reject(new LookUpNeeded());

/**
 * The decision whether one transaction is sponsored, by the rules that were in force when it was prepared. It is made again
 * whenever the claim finds that a counter does not have the value that it assumed.
 */
export class TransactionDecision {
  /** The last answer of the rules. */
  #decided: AccessDecision | null = null;
  /** What it has assumed about balance changes. */
  #assumed: readonly AssumedChanges[] = [];
  /** The stored form of its forecast. */
  #forecast: string | null = null;
  readonly #known = new Map<string, KnownUsage>();
  readonly #hookAnswers = new Map<Hook, Promise<HookAnswer>>();

  constructor(
    private readonly access: TransactionAccess,
    private readonly request: ExecuteRequest,
    private readonly sponsor: string,
    private readonly subject: PricedSubject,
    private readonly facts: string,
    private readonly rules: CallerRules,
  ) {}

  /**
   * Returns the terms of the claim; null where a hook has to be called, or the ledger asked, first. Throws FORBIDDEN, SPENDING_LIMIT,
   * REQUEST_LIMIT, ACCESS_UNDECIDED, GAS_PRICE_TOO_HIGH, SIGNATURE_UNSUPPORTED. A denial releases the reservation if the rules say so. Rules
   * that are only tried out refuse nothing, and do not count a transaction that they would refuse.
   */
  async decideWithoutLookUps(): Promise<ClaimTerms | null> {
    const subject = {
      ...this.subject,
      readArguments: needLookUp,
      readBalanceChanges: needLookUp,
    };
    try {
      return await this.decideBy(async (hook) => {
        const isAnswered = this.#hookAnswers.has(hook);
        if (!isAnswered && this.access.hooks.wouldCall(hook, subject)) throw new LookUpNeeded();
        return this.askHook(hook);
      }, subject);
    } catch (error) {
      if (error instanceof LookUpNeeded) return null;
      throw error;
    }
  }

  /** As `decideWithoutLookUps`, but calls the hooks, once each, and asks the ledger. */
  decide(): Promise<ClaimTerms> {
    return this.decideBy((hook) => this.askHook(hook), this.subject);
  }

  /** Decides with the counters' current values, which were not those that the last decision assumed. */
  async decideAgain(usages: readonly CurrentUsage[]): Promise<ClaimTerms> {
    this.learn(usages);
    return this.termsOf(await this.askRules((hook) => this.askHook(hook), this.subject));
  }

  /** Audits an allowed transaction after its claim. */
  auditClaim(): void {
    if (this.#decided?.outcome === 'allow') this.audit('allow');
  }

  /**
   * Remembers, before the claim, the forecast that the last decision rests on, if it rests on one. Shared objects may change,
   * and functions may look at the clock, before the transaction is executed. Throws STORE_UNREACHABLE.
   */
  async rememberForecast(): Promise<void> {
    await this.forgetForecast();
    const { subject, rules, request } = this;
    if (this.#assumed.length === 0) return;
    const { caller, reservation, reservationId, transaction } = subject;
    const { digest, sender, gasOwner, gasBudget } = transaction;
    this.#forecast = await this.access.forecasts.remember({
      v: FORECAST_VERSION,
      at: Date.now(),
      requestId: request.requestId,
      caller,
      reservationId,
      digest,
      sender,
      gasOwner,
      gasBudget: String(gasBudget),
      reservedBudget: reservation.gasBudget,
      durationSecs: reservation.durationSecs,
      assumed: this.#assumed,
      dryRun: rules.dryRun,
    });
  }

  /** The transaction is not bound by this decision, or is refused. */
  async forgetForecast(): Promise<void> {
    if (this.#forecast === null) return;
    const forgotten = this.#forecast;
    this.#forecast = null;
    await this.access.forecasts.forget(forgotten);
  }

  /** Compares the forecast with what the transaction has changed. */
  async checkForecast(effects: TransactionEffects): Promise<void> {
    if (this.#forecast !== null) await this.access.forecasts.check(this.#forecast, effects);
  }

  private async decideBy(askHook: AskHook, subject: AccessSubject): Promise<ClaimTerms> {
    const { limited, coinPool } = this.access;
    let usage = await this.askRules(askHook, subject);
    // Without a counter the decision, and its audit, would be the same.
    if (usage.length > 0 && limited.has(this.request.caller.token)) {
      const message = {
        sponsor: this.sponsor,
        counters: usage.map(({ counter }) => counter),
        usage,
      };
      // If they cannot be read, the claim finds out.
      const read = await coinPool.readUsages(message).catch(() => null);
      this.learn(read?.usages ?? []);
      usage = await this.askRules(askHook, subject);
    }
    return this.termsOf(usage);
  }

  /** Returns the usage that the claim must find and count. */
  private async askRules(
    askHook: AskHook,
    subject: AccessSubject,
  ): Promise<readonly ExpectedUsage[]> {
    const { ruleSet, caps, dryRun } = this.rules;
    const steps: RuleTrace[] = [];
    let decided;
    try {
      const trace = (step: RuleTrace) => void steps.push(step);
      const parts = { known: this.#known, caps, askHook, trace };
      decided = this.#decided = await decideAccess(ruleSet, subject, parts);
      this.#assumed = changesAssumedBy(decided, steps);
    } catch (cause) {
      if (!(cause instanceof AccessUndecided)) throw cause;
      this.audit('undecided', cause.reason);
      if (dryRun) return [];
      throw new ForecourtError('ACCESS_UNDECIDED', '', { cause });
    }
    if (decided.outcome === 'allow') {
      this.access.audit.requireWritable();
      return decided.checks.map(toExpectedUsage);
    }
    this.audit(decided.outcome);
    if (dryRun) return [];
    await this.followRefusal(decided);
    throw accessRefusal(decided, this.#known, this.rules);
  }

  /** Names the rule in the record of the refusal, remembers a used-up limit, and releases the reservation where denials do. */
  private async followRefusal(decided: AccessDecision): Promise<void> {
    const { caller, reservationId, requestId, refusal } = this.request;
    const { limited, reservations } = this.access;
    refusal.rule = nameOfRefusing(decided);
    if (decided.outcome === 'limited') limited.set(caller.token, true);
    else if (this.rules.releasesOnDenial) {
      await reservations.releaseUnused({ caller: caller.name, reservationId }, requestId);
    }
  }

  /** Refuses what only a rule can allow, if the last decision does not rest on such a rule. */
  private termsOf(usage: readonly ExpectedUsage[]): ClaimTerms {
    const { allowsAbstractAccount = false, allowsGasPrice = false } = this.#decided ?? {};
    const { transaction, referenceGasPrice } = this.subject;
    const { config, limits } = this.access;
    this.access.requireAllowedAccount(this.subject, allowsAbstractAccount);
    checkGasPrice(transaction, referenceGasPrice, config.maxGasPriceRatio, allowsGasPrice);
    const quarantineLimit = limits.quarantineLimit(this.request.caller);
    return { rule: this.ruleName, facts: this.facts, usage, quarantineLimit };
  }

  /** Empty if no rule has made the last decision. */
  private get ruleName(): string {
    return this.#decided?.rule?.name ?? '';
  }

  private askHook(hook: Hook): Promise<HookAnswer> {
    const answer = this.#hookAnswers.get(hook) ?? this.access.hooks.ask(hook, this.subject);
    this.#hookAnswers.set(hook, answer);
    return answer;
  }

  private learn(usages: readonly CurrentUsage[]): void {
    for (const { counter, used, endsInMs } of usages) {
      this.#known.set(counter, { used: BigInt(used), endsInMs });
    }
  }

  private audit(outcome: AuditedDecision['outcome'], reason?: string): void {
    this.access.audit.write({
      requestId: this.request.requestId,
      stage: 'execute',
      outcome,
      rule: this.#decided?.rule ?? null,
      subject: this.subject,
      dryRun: this.rules.dryRun,
      reason,
    });
  }
}

function toExpectedUsage(check: UsageCheck): ExpectedUsage {
  const { counter, counts, amount, windowMs, expected, held, budget } = check;
  const { operator, limit } = claimedComparison(check);
  return {
    counter,
    counts,
    amount: String(amount),
    operator,
    limit: String(limit),
    windowMs: windowMs ?? TOTAL_WINDOW_MS,
    expected,
    held,
    ...(budget && { budget }),
  };
}
