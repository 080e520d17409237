import {
  type DecisionFacts,
  ForecourtError,
  readDecisionFacts,
  type TrafficRecord,
} from '@forecourt/contracts';
import type { DecodedTransaction, LedgerCodec } from '@forecourt/ledger';
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
import type { DecidedReport, ReplayedDecision } from './replay-report.js';
import { ReplayTally } from './replay-tally.js';

/** The part of a token's entry that decisions use. */
export interface ReplayedToken {
  readonly ruleSet: string | null;
  readonly budget: readonly UsageLimit[];
}

/** Refusals that only a rule lifts. */
interface ReplaySettings {
  readonly allowAbstractAccounts: boolean;
  readonly maxGasPriceRatio: number;
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
const HEADER = 'a header of the request decides, which is not recorded';
const ARGUMENTS = 'the arguments of calls decide, which the ledger would have to show';
const CHANGES = 'balance changes decide, which the ledger would have to forecast';
const RESERVATION = 'the reservation would be allowed, and its transaction is not known';

/**
 * The functions of an `AccessSubject` that a record must supply, or that cannot be supplied after the fact.
 */
function lazyFacts(codec: ReplayParts['codec'], transaction: DecodedTransaction) {
  let json: unknown;
  return {
    transactionJson: () => (json ??= codec.transactionJson(transaction)),
    readArguments: () => Promise.reject(new AccessUndecided(ARGUMENTS)),
    readBalanceChanges: () => Promise.reject(new AccessUndecided(CHANGES)),
    header: (): never => {
      throw new AccessUndecided(HEADER);
    },
  };
}

/** Decides about recorded traffic by the proposed rules beside the rules in force, in the order of time. */
export class TrafficReplay {
  readonly #inForce: ReplayedRules;
  readonly #proposed: ReplayedRules;
  readonly #tally = new ReplayTally();
  #sponsorships = 0;
  #refusals = 0;

  /** Throws `Error` for a token whose rule set the proposed rules lack. */
  constructor(private readonly parts: ReplayParts) {
    const { inForce, proposed, tokens } = parts;
    for (const [name, { ruleSet }] of tokens) {
      if (ruleSet === null || proposed.ruleSets.has(ruleSet)) continue;
      throw new Error(`token ${name} names the rule set ${ruleSet}, which the rules do not define`);
    }
    this.#inForce = new ReplayedRules(inForce, parts);
    this.#proposed = new ReplayedRules(proposed, parts);
  }

  async add(record: TrafficRecord): Promise<void> {
    const facts = readDecisionFacts(record.facts);
    const isReservation = record.digest === null;
    const transaction = facts && isReservation ? null : this.decode(record);
    if (facts === null || (transaction === null && !isReservation)) {
      if (record.refusal === null) this.#sponsorships += 1;
      else this.#refusals += 1;
      return;
    }
    const subject = transaction && subjectOf(this.parts.codec, record, facts, transaction);
    const decide = (rules: ReplayedRules) =>
      subject === null ? rules.decideReservation(record, facts) : rules.decide(record, subject);
    this.#tally.add({
      record,
      inForce: await decide(this.#inForce),
      proposed: await decide(this.#proposed),
      sender: transaction?.sender ?? null,
      largestCost: facts.largestCost,
      functions: transaction === null ? [] : functionsOf(transaction),
    });
  }

  report(): DecidedReport {
    return this.#tally.report();
  }

  /** Records that cannot be decided about. */
  get skipped(): { readonly sponsorships: number; readonly refusals: number } {
    return { sponsorships: this.#sponsorships, refusals: this.#refusals };
  }

  /** Null: the bytes were not kept, or this release cannot decode them. */
  private decode({ transaction }: TrafficRecord): DecodedTransaction | null {
    if (transaction === null) return null;
    try {
      return this.parts.codec.decodeTransaction(Buffer.from(transaction, 'base64'));
    } catch {
      return null;
    }
  }
}

function subjectOf(
  codec: ReplayParts['codec'],
  record: TrafficRecord,
  facts: DecisionFacts,
  transaction: DecodedTransaction,
): AccessSubject {
  const { token, at, reservation_id: id, transaction: txBytes } = record;
  const { gasBudget, durationSecs } = facts;
  return {
    ...lazyFacts(codec, transaction),
    ...facts,
    caller: token,
    reservation: { gasBudget, durationSecs },
    time: new Date(at),
    sponsor: transaction.gasOwner,
    transaction,
    reservationId: id ?? 0,
    txBytes: txBytes ?? '',
    userSig: '',
  };
}

/** One side of a replay: its rules, and the counters of their limits. */
class ReplayedRules {
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

function functionsOf({ moveCalls }: DecodedTransaction): string[] {
  return [
    ...new Set(moveCalls.map((call) => `${call.packageId}::${call.module}::${call.function}`)),
  ];
}
