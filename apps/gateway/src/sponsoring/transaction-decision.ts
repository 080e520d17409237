import {
  type AssumedChanges,
  type ClaimReservationMessage,
  type CurrentUsage,
  type ExpectedUsage,
  FORECAST_VERSION,
  ForecourtError,
  type TransactionEffects,
} from '@forecourt/contracts';
import {
  type AccessDecision,
  type AccessSubject,
  AccessUndecided,
  changesAssumedBy,
  decideAccess,
  type Hook,
  type HookAnswer,
  type HookCaller,
  type KnownUsage,
  type RuleTrace,
} from '@forecourt/policy/access';
import { checkGasPrice } from '@forecourt/policy/sponsorship';
import type { LRUCache } from 'lru-cache';
import type { AccessAudit, AuditedDecision } from '../access/access-audit.js';
import type { CallerRules } from '../access/access-policy.js';
import { accessRefusal, nameOfRefusing } from '../access/access-refusal.js';
import type { CallerLimits } from '../access/caller-limits.js';
import type { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { toExpectedUsage } from './expected-usage.js';
import type { ForecastChecks } from './forecast-checks.js';
import type { ReservationsService } from './reservations.service.js';
import type { PricedSubject } from './decision-facts.js';
import type { ExecuteRequest } from './transaction-reader.js';

/** The terms of a claim that follow from the access decision. */
export type ClaimTerms = Pick<
  ClaimReservationMessage,
  'rule' | 'facts' | 'usage' | 'quarantineLimit'
>;

/** The services with which decisions are made. */
export interface DecisionServices {
  readonly audit: AccessAudit;
  readonly config: GatewayConfig;
  readonly coinPool: CoinPoolClient;
  readonly forecasts: ForecastChecks;
  readonly hooks: HookCaller;
  readonly limits: CallerLimits;
  /** Tokens with a limit that was found used up. Others of its limits may have room meanwhile. */
  readonly limited: LRUCache<string, true>;
  readonly reservations: ReservationsService;
  /**
   * Throws SIGNATURE_UNSUPPORTED for an abstract account that neither the configuration nor a rule allows.
   */
  requireAllowedAccount(subject: AccessSubject, allowedByRule: boolean): void;
}

type AskHook = (hook: Hook) => Promise<HookAnswer>;

/**
 * A decision depends on a hook that has not been called yet, or on facts that the ledger has not been asked
 * for.
 */
class LookUpNeeded extends Error {}

const needLookUp = () => Promise.reject(new LookUpNeeded());

/**
 * The decision whether one transaction is sponsored, by the rules that were in force when it was prepared. It
 * is made again whenever the claim finds that a counter does not have the value that it assumed.
 */
export class TransactionDecision {
  /** The last answer of the rules. */
  #decided: AccessDecision | null = null;
  /** Its assumptions about balance changes. */
  #assumed: readonly AssumedChanges[] = [];
  /** The stored form of its forecast. */
  #forecast: string | null = null;
  readonly #known = new Map<string, KnownUsage>();
  readonly #hookAnswers = new Map<Hook, Promise<HookAnswer>>();

  constructor(
    private readonly access: DecisionServices,
    private readonly request: ExecuteRequest,
    private readonly sponsor: string,
    private readonly subject: PricedSubject,
    private readonly facts: string,
    private readonly rules: CallerRules,
  ) {}

  /**
   * Returns the terms of the claim; null where a hook has to be called, or the ledger asked, first. Throws
   * FORBIDDEN, SPENDING_LIMIT, REQUEST_LIMIT, ACCESS_UNDECIDED, GAS_PRICE_TOO_HIGH, SIGNATURE_UNSUPPORTED. A
   * denial releases the reservation if the rules say so. Rules that are only tried out refuse nothing, and do
   * not count a transaction that they would refuse.
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
   * Remembers, before the claim, the forecast that the last decision rests on, if it rests on one. Shared
   * objects may change, and functions may look at the clock, before the transaction is executed. Throws
   * STORE_UNREACHABLE.
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

  /**
   * Names the rule in the record of the refusal, remembers a used-up limit, and releases the reservation
   * where denials do.
   */
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
