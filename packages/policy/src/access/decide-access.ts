import type { AccessDecision, RuleTrace } from './access-decision.js';
import type { AccessRule, RuleSet } from './access-rules.js';
import type { AccessSubject } from './access-subject.js';
import { describeMismatch, findMismatch } from './find-mismatch.js';
import type { Hook } from './hooks/hook.js';
import type { HookAnswer } from './hooks/hook-answer.js';
import { checkUsage, type KnownUsages, type UsageCheck } from './usage/usage-check.js';
import type { UsageLimit } from './usage/usage-limit.js';

const GAS_PRICE_RATIO = 'gas-price-ratio';

/** What deciding needs from outside. */
export interface DecisionParts {
  readonly known: KnownUsages;
  /** Asks a hook; the same answer for the same request. Throws `AccessUndecided`. */
  readonly askHook: (hook: Hook) => Promise<HookAnswer>;
  /** Limits that hold whatever the rules say: the token's budget, the sponsor's. */
  readonly caps: readonly UsageLimit[];
  /** Told of each rule that is looked at. */
  readonly trace?: (step: RuleTrace) => void;
}

/**
 * The first rule whose conditions all hold decides; where none does, the policy. A hook is asked after the conditions,
 * limits are checked last. A rule that allows must cover all of a transaction, one that denies need match only one part of it; a
 * hook may do either, so it is asked about what it could deny, and its permission counts for what a rule could allow.
 * Throws `AccessUndecided` when whoever must decide cannot be asked.
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
      parts.trace?.({ rule, skipped: describeMismatch(mismatch) });
      continue;
    }
    const decided = await path.follow(rule);
    parts.trace?.({ rule, skipped: typeof decided === 'string' ? decided : null });
    if (typeof decided !== 'string') return decided;
  }
  return path.end(policy === 'allow-all' ? 'allow' : 'deny', null);
}

/** The rules that were passed on the way, with what they suppose of counters. */
class DecisionPath {
  readonly #checks: UsageCheck[] = [];
  #limited = false;

  constructor(
    private readonly subject: AccessSubject,
    private readonly parts: DecisionParts,
  ) {}

  /** The decision of a rule whose conditions hold, or why it makes none. */
  async follow(rule: AccessRule): Promise<AccessDecision | string> {
    let { action } = rule;
    let { message } = rule;
    if (typeof action !== 'string') {
      const answer = await this.parts.askHook(action);
      message = answer.userMessage ?? message;
      if (answer.decision === 'deny') return this.end('deny', rule, message);
      if (answer.decision === 'noDecision') return 'the hook makes no decision';
      const mismatch = await findMismatch(rule, this.subject, 'every');
      if (mismatch !== null)
        return `the hook allows it, but the rule does not: ${describeMismatch(mismatch)}`;
      action = 'allow';
    }
    const limits = rule.limits.map((limit) => checkUsage(limit, this.subject, this.parts.known));
    const checks = limits.flat();
    const inLimits = limits.every((groups) => isMet(groups, action));
    // What allows counts what it allows; what denies past a limit counts whatever it lets pass.
    const held = action === 'allow' ? inLimits : !inLimits;
    this.#checks.push(...checks.map((check) => ({ ...check, held })));
    if (!inLimits) {
      if (action === 'allow') this.#limited = true;
      return `its limit is ${action === 'allow' ? '' : 'not '}exceeded`;
    }
    if (action === 'allow') return this.end('allow', rule, message);
    return { ...this.end('deny', rule, message), ...(checks.length > 0 && { outcome: 'limited' }) };
  }

  end(
    outcome: 'allow' | 'deny',
    rule: AccessRule | null,
    message: string | null = null,
  ): AccessDecision {
    if (outcome === 'deny') {
      const limited = this.#limited && rule === null;
      return {
        outcome: limited ? 'limited' : 'deny',
        rule,
        message,
        checks: this.#checks,
        allowsGasPrice: false,
      };
    }
    const caps = this.parts.caps.flatMap((cap) =>
      checkUsage(cap, this.subject, this.parts.known).map((check) => ({ ...check, held: true })),
    );
    const checks = [...this.#checks, ...caps];
    const capped = caps.some(({ expected }) => !expected);
    const allowsGasPrice =
      !capped && rule?.conditions.some(({ name }) => name === GAS_PRICE_RATIO) === true;
    return {
      outcome: capped ? 'limited' : 'allow',
      rule: capped ? null : rule,
      message,
      checks,
      allowsGasPrice,
    };
  }
}

/** What allows must keep each group within its limit; what denies need find one that is beyond. */
function isMet(groups: readonly UsageCheck[], action: 'allow' | 'deny'): boolean {
  const isExpected = ({ expected }: UsageCheck) => expected;
  return action === 'allow' ? groups.every(isExpected) : groups.some(isExpected);
}
