import type { CommandKind, DecodedTransaction } from '@forecourt/ledger';
import type { AccessRule, RuleSet } from './access-rules.js';
import { type AccessSubject, measured, type ReservationSubject } from './access-subject.js';
import type { Condition, Quantifier } from './conditions/condition.js';
import type { Hook, HookAnswer } from './hooks/hook.js';
import {
  checkUsage,
  type KnownUsages,
  type UsageCheck,
  type UsageLimit,
} from './usage/usage-limit.js';

/** The decision about a transaction, with its reasons. */
export interface AccessDecision {
  /** `limited`: it would be allowed if a limit were not exceeded. */
  readonly outcome: 'allow' | 'deny' | 'limited';
  /** Null: the policy decided, as no rule matched; or, when limited, a limit that is exceeded. */
  readonly rule: AccessRule | null;
  /** When limited: the first limit that is exceeded, and its rule; null: a budget of the token or the sponsor. */
  readonly limit: ExceededLimit | null;
  /** Shown to the user; null: the general text. */
  readonly message: string | null;
  /**
   * The rule that allows it has a condition on the gas price (`gas-price-ratio`), which replaces the general limit on gas
   * prices.
   */
  readonly allowsGasPrice: boolean;
  /** The rule that allows it has the condition `abstract-account`, which replaces the general refusal of such senders. */
  readonly allowsAbstractAccount: boolean;
  /** The decision's assumptions about counters, checked when the reservation is claimed. */
  readonly checks: readonly UsageCheck[];
}

export interface ExceededLimit {
  readonly rule: AccessRule | null;
  readonly check: Pick<
    UsageCheck,
    'counter' | 'counts' | 'comparison' | 'windowMs' | 'until' | 'isOver'
  >;
}

/** The evaluation of one rule on the way to a decision. */
export interface RuleTrace {
  readonly rule: AccessRule;
  /** The reason why it does not decide; null: it decides. */
  readonly skipped: string | null;
  /** The condition that does not hold, of a rule that is skipped for it. */
  readonly failed?: Condition | undefined;
}

/** A condition that does not hold, or a sentence about a command that the rule does not cover. */
export type Mismatch = Condition | string;

/**
 * The reason why a rule does not match; null if it does. With `every`, the rule must also cover every command. Returns
 * a promise only if a condition does. Throws `AccessUndecided`.
 */
function findMismatch(
  rule: AccessRule,
  subject: AccessSubject,
  quantifier: Quantifier,
  from = 0,
): Mismatch | null | Promise<Mismatch | null> {
  const { conditions } = rule;
  for (let index = from; index < conditions.length; index++) {
    const condition = conditions[index]!;
    const held = measured(subject, () => condition.holds(subject, quantifier));
    if (held === true) continue;
    if (held === false) return condition;
    return held.then((later) =>
      later ? findMismatch(rule, subject, quantifier, index + 1) : condition,
    );
  }
  return quantifier === 'every' ? findUncoveredCommand(rule, subject.transaction) : null;
}

function describeMismatch(mismatch: Mismatch): string {
  return typeof mismatch === 'string' ? mismatch : `${mismatch.name} does not hold`;
}

/** Covered only by `command-kind`. */
const NEEDS_COMMAND_KIND = new Set<CommandKind>(['Publish', 'Upgrade']);

/** A rule with one of these restricts the contents of transactions: it covers only Move calls. */
export const CONTENT_CONDITIONS = new Set([
  'move-call-package-address',
  'move-call-function',
  'type-argument',
  'object-id',
  'argument',
]);

/** They restrict the functions of all calls; without them, `argument` does. */
const FUNCTION_CONDITIONS = new Set(['move-call-package-address', 'move-call-function']);

/**
 * The reason why a rule does not allow a transaction although its conditions hold: the transaction has no commands, or
 * the rule does not cover one of them. Null if the rule allows it.
 */
function findUncoveredCommand(
  { conditions, commandKinds: named, namesFunction }: AccessRule,
  { commandKinds, moveCalls }: DecodedTransaction,
): string | null {
  if (commandKinds.length === 0) return 'no rule allows a transaction without commands';
  if (namesFunction && !conditions.some(({ name }) => FUNCTION_CONDITIONS.has(name))) {
    const other = moveCalls.find((call) => !namesFunction(call));
    if (other) {
      return `its argument does not name ${other.module}::${other.function}; to allow other functions too, write move-call-function`;
    }
  }
  const restrictsContent = conditions.some(({ name }) => CONTENT_CONDITIONS.has(name));
  const isUncovered = (kind: CommandKind) =>
    named?.has(kind) !== true &&
    (NEEDS_COMMAND_KIND.has(kind) || (restrictsContent && kind !== 'MoveCall'));
  const uncovered = [...new Set(commandKinds.filter(isUncovered))];
  if (uncovered.length === 0) return null;
  const needed = [...new Set([...(named ?? []), ...commandKinds])].join(', ');
  return `the rule does not cover ${uncovered.join(', ')}; to allow them, write command-kind: [${needed}]`;
}

const GAS_PRICE_RATIO = 'gas-price-ratio';
const ABSTRACT_ACCOUNT = 'abstract-account';
const SPONSOR = 'sponsor';

/** Whether one of the rules may allow abstract accounts, each of which a condition must name. */
export function mayAllowAbstractAccounts({ policy, rules }: RuleSet): boolean {
  if (policy === 'disabled') return false;
  return rules.some((rule) => rule.action !== 'deny' && names(rule, ABSTRACT_ACCOUNT));
}

function names({ conditions }: AccessRule, condition: string): boolean {
  return conditions.some(({ name }) => name === condition);
}

/** The inputs of a decision in addition to the rules and the transaction. */
interface DecisionParts {
  readonly known: KnownUsages;
  /** Calls a hook, and returns the same answer for the same request. Throws `AccessUndecided`. */
  readonly askHook: (hook: Hook) => Promise<HookAnswer>;
  /** Limits that apply regardless of the rules: the budgets of the token and of the sponsor. */
  readonly caps: readonly UsageLimit[];
  /** Called for each rule that is evaluated. */
  readonly trace?: (step: RuleTrace) => void;
}

/**
 * The first rule whose conditions all hold decides; if there is none, the policy does. A hook is called after the
 * conditions, and limits are checked last. A rule that allows must cover the whole transaction; one that denies needs
 * to match only part of it. A hook may do either: it is called if part of the transaction matches, and if it allows,
 * that counts only if the rule covers the whole transaction. Throws `AccessUndecided` if a hook or an OPA server gives
 * no decision.
 */
export async function decideAccess(
  { policy, rules }: RuleSet,
  subject: AccessSubject,
  parts: DecisionParts,
): Promise<AccessDecision> {
  const path = new DecisionPath(subject, parts);
  if (policy === 'disabled') return path.end('allow', null);
  for (const rule of rules) {
    let mismatch = findMismatch(rule, subject, rule.action === 'allow' ? 'every' : 'any');
    if (mismatch instanceof Promise) mismatch = await mismatch;
    if (mismatch !== null) {
      const failed = typeof mismatch === 'string' ? undefined : mismatch;
      parts.trace?.({ rule, skipped: describeMismatch(mismatch), failed });
      continue;
    }
    const decided = await path.follow(rule);
    parts.trace?.({ rule, skipped: typeof decided === 'string' ? decided : null });
    if (typeof decided !== 'string') return decided;
  }
  return path.end(policy === 'allow-all' ? 'allow' : 'deny', null);
}

/** Follows rules to a decision and collects its assumptions about counters. */
class DecisionPath {
  readonly #checks: UsageCheck[] = [];
  #exceeded: ExceededLimit | null = null;

  constructor(
    private readonly subject: AccessSubject,
    private readonly parts: DecisionParts,
  ) {}

  /** The decision of a rule whose conditions hold, or the reason why it makes none. */
  async follow(rule: AccessRule): Promise<AccessDecision | string> {
    let { action, message } = rule;
    if (typeof action !== 'string') {
      const answer = await this.parts.askHook(action);
      message = answer.userMessage ?? message;
      if (answer.decision === 'deny') return this.end('deny', rule, message);
      if (answer.decision === 'noDecision') return 'the hook makes no decision';
      const mismatch = await findMismatch(rule, this.subject, 'every');
      if (mismatch !== null) {
        return `the hook allows it, but the rule does not: ${describeMismatch(mismatch)}`;
      }
      action = 'allow';
    }
    const limits = rule.limits.map((limit) => checkUsage(limit, this.subject, this.parts.known));
    const checks = limits.flat();
    const inLimits = limits.every((groups) => isMet(groups, action));
    // A rule that allows counts the transactions that it allows; one that denies beyond a limit counts those that it
    // lets pass.
    const held = action === 'allow' ? inLimits : !inLimits;
    this.#checks.push(...checks.map((check) => ({ ...check, held })));
    if (!inLimits) {
      const check = checks.find(({ expected }) => !expected);
      if (action === 'allow' && check) this.#exceeded ??= { rule, check };
      return `its limit is ${action === 'allow' ? '' : 'not '}exceeded`;
    }
    if (action === 'allow') return this.end('allow', rule, message);
    const denied = this.end('deny', rule, message);
    const check = checks.find(({ expected }) => expected);
    return check ? { ...denied, outcome: 'limited', limit: { rule, check } } : denied;
  }

  end(
    outcome: 'allow' | 'deny',
    rule: AccessRule | null,
    message: string | null = null,
  ): AccessDecision {
    if (outcome === 'deny') {
      const limit = rule === null ? this.#exceeded : null;
      return {
        outcome: limit ? 'limited' : 'deny',
        rule,
        limit,
        message,
        checks: this.#checks,
        allowsGasPrice: false,
        allowsAbstractAccount: false,
      };
    }
    const caps = this.parts.caps.flatMap((cap) =>
      checkUsage(cap, this.subject, this.parts.known).map((check) => ({ ...check, held: true })),
    );
    const checks = [...this.#checks, ...caps];
    const capped = caps.find(({ expected }) => !expected);
    const decides = capped ? null : rule;
    return {
      outcome: capped ? 'limited' : 'allow',
      rule: decides,
      limit: capped ? { rule: null, check: capped } : null,
      message,
      checks,
      allowsGasPrice: decides !== null && names(decides, GAS_PRICE_RATIO),
      allowsAbstractAccount: decides !== null && names(decides, ABSTRACT_ACCOUNT),
    };
  }
}

/** A rule that allows needs the comparison to hold for every group; one that denies, for any. */
function isMet(groups: readonly UsageCheck[], action: 'allow' | 'deny'): boolean {
  const isExpected = ({ expected }: UsageCheck) => expected;
  return action === 'allow' ? groups.every(isExpected) : groups.some(isExpected);
}

/** Whether any transaction could be allowed with a reservation, and the rule that decided. */
interface ReservationDecision {
  readonly allowed: boolean;
  /** Null: the policy. */
  readonly rule: AccessRule | null;
}

/** Denies a reservation that no transaction could use, based on the conditions that need no transaction. */
export function decideReservation(
  { policy, rules }: RuleSet,
  subject: ReservationSubject,
): ReservationDecision {
  if (policy === 'disabled') return { allowed: true, rule: null };
  for (const rule of rules) {
    const matches = matchesReservation(rule, subject);
    if (matches === false) continue;
    if (rule.action !== 'deny') return { allowed: true, rule };
    if (matches) return { allowed: false, rule };
  }
  return { allowed: policy === 'allow-all', rule: null };
}

/** Whether a rule matches; null: that depends on the transaction. */
function matchesReservation({ conditions, limits }: AccessRule, subject: ReservationSubject) {
  let certain = limits.length === 0;
  for (const condition of conditions) {
    // A sponsor that is not chosen yet may be the one that is named.
    const isOpen = condition.name === SPONSOR && subject.sponsor === null;
    if (condition.needs === 'transaction' || isOpen) certain = false;
    else if (!condition.holds(subject)) return false;
  }
  return certain ? true : null;
}
