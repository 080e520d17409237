import type { AccessRule } from './access-rules.js';
import type { AccessSubject } from './access-subject.js';
import type { Hook, HookAnswer } from './hooks/hook.js';
import {
  checkUsage,
  type KnownUsages,
  type UsageCheck,
  type UsageLimit,
} from './usage/usage-limit.js';
import type { AccessDecision, ExceededLimit, RuleTrace } from './access-decision.js';
import { describeMismatch, findMismatch } from './find-mismatch.js';

const GAS_PRICE_RATIO = 'gas-price-ratio';
export const ABSTRACT_ACCOUNT = 'abstract-account';

export function names({ conditions }: AccessRule, condition: string): boolean {
  return conditions.some(({ name }) => name === condition);
}

/** The inputs of a decision in addition to the rules and the transaction. */
export interface DecisionParts {
  readonly known: KnownUsages;
  /** Calls a hook, and returns the same answer for the same request. Throws `AccessUndecided`. */
  readonly askHook: (hook: Hook) => Promise<HookAnswer>;
  /** Limits that apply regardless of the rules: the budgets of the token and of the sponsor. */
  readonly caps: readonly UsageLimit[];
  /** Called for each rule that is evaluated. */
  readonly trace?: (step: RuleTrace) => void;
}

/** Follows rules to a decision and collects its assumptions about counters. */
export class DecisionPath {
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
    // A rule that allows counts the transactions that it allows; one that denies beyond a limit counts those
    // that it lets pass.
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
