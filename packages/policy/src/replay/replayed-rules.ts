import { type DecisionFacts, ForecourtError, type TrafficRecord } from '@forecourt/contracts';
import {
  type AccessDecision,
  type AccessRules,
  type AccessSubject,
  AccessUndecided,
  decideAccess,
  decideReservation,
  type RuleSet,
  type UsageLimit,
} from '../access/index.js';
import { checkGasPrice } from '../sponsorship/index.js';
import { ReplayCounters } from './replay-counters.js';
import type { ReplayedDecision } from './replay-report.js';
import type { LedgerCodec } from '@forecourt/ledger';

/** The part of a token's entry that decisions use. */
export interface ReplayedToken {
  readonly ruleSet: string | null;
  readonly budget: readonly UsageLimit[];
}

export interface ReplayParts {
  readonly inForce: AccessRules;
  readonly proposed: AccessRules;
  /** By name. Tokens that are missing have no budget, and the general rules. */
  readonly tokens: ReadonlyMap<string, ReplayedToken>;
  readonly settings: ReplaySettings;
  readonly codec: LedgerCodec;
}

const HOOK = 'a hook decides';

const RESERVATION = 'the reservation would be allowed, and its transaction is not known';

/** One side of a replay: its rules, and the counters of their limits. */
export class ReplayedRules {
  readonly #counters = new ReplayCounters();

  constructor(
    private readonly rules: AccessRules,
    private readonly parts: ReplayParts,
  ) {}

  /** Decides, and counts what is allowed. */
  async decide(record: TrafficRecord, subject: AccessSubject): Promise<ReplayedDecision> {
    const { ruleSet, budget } = this.rulesOf(record.token);
    const known = this.#counters.usagesAt(record.sponsor ?? '', record.at);
    const askHook = () => Promise.reject(new AccessUndecided(HOOK));
    const caps = [...budget, ...this.rules.sponsorBudget];
    let decision;
    try {
      decision = await decideAccess(ruleSet, subject, { known, caps, askHook });
    } catch (error) {
      if (!(error instanceof AccessUndecided)) throw error;
      return { outcome: 'undecided', rule: null, reason: error.reason };
    }
    const { outcome, rule, limit, checks } = decision;
    const decidedBy = (rule ?? limit?.rule)?.name ?? null;
    if (outcome === 'allow') {
      const refused = this.refuseUnnamed(decision, subject);
      if (refused !== null) return refused;
      this.#counters.count(record, checks);
    }
    return { outcome, rule: decidedBy, reason: null };
  }

  decideReservation(
    { token, at, sponsor }: TrafficRecord,
    { gasBudget, durationSecs }: DecisionFacts,
  ): ReplayedDecision {
    const { ruleSet } = this.rulesOf(token);
    const reservation = { gasBudget, durationSecs };
    const subject = { caller: token, reservation, time: new Date(at), sponsor };
    const { allowed, rule } = decideReservation(ruleSet, subject);
    if (allowed) return { outcome: 'undecided', rule: null, reason: RESERVATION };
    return { outcome: 'deny', rule: rule?.name ?? null, reason: null };
  }

  /** The refusal of an abstract account, or of a gas price, that the rules would have to name. */
  private refuseUnnamed(decision: AccessDecision, subject: AccessSubject): ReplayedDecision | null {
    const { allowAbstractAccounts, maxGasPriceRatio } = this.parts.settings;
    const { allowsAbstractAccount, allowsGasPrice } = decision;
    const denied = { outcome: 'deny', rule: null, reason: null } as const;
    const isAccount = subject.isOfAbstractAccount === true;
    if (isAccount && !allowAbstractAccounts && !allowsAbstractAccount) return denied;
    const { transaction, referenceGasPrice } = subject;
    if (referenceGasPrice === null) return null;
    try {
      checkGasPrice(transaction, referenceGasPrice, maxGasPriceRatio, allowsGasPrice);
      return null;
    } catch (error) {
      if (error instanceof ForecourtError) return denied;
      throw error;
    }
  }

  private rulesOf(token: string): { ruleSet: RuleSet; budget: readonly UsageLimit[] } {
    const { ruleSet = null, budget = [] } = this.parts.tokens.get(token) ?? {};
    const named = ruleSet === null ? undefined : this.rules.ruleSets.get(ruleSet);
    return { ruleSet: named ?? this.rules, budget };
  }
}

/** Refusals that only a rule lifts. */
interface ReplaySettings {
  readonly allowAbstractAccounts: boolean;
  readonly maxGasPriceRatio: number;
}
