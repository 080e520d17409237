import type { RuleSet } from './access-rules.js';
import type { AccessSubject } from './access-subject.js';
import type { AccessDecision } from './access-decision.js';
import { describeMismatch, findMismatch } from './find-mismatch.js';
import { ABSTRACT_ACCOUNT, type DecisionParts, DecisionPath, names } from './decision-path.js';

/** Whether one of the rules may allow abstract accounts, each of which a condition must name. */
export function mayAllowAbstractAccounts({ policy, rules }: RuleSet): boolean {
  if (policy === 'disabled') return false;
  return rules.some((rule) => rule.action !== 'deny' && names(rule, ABSTRACT_ACCOUNT));
}

/**
 * The first rule whose conditions all hold decides; if there is none, the policy does. A hook is called after
 * the conditions, and limits are checked last. A rule that allows must cover the whole transaction; one that
 * denies needs to match only part of it. A hook may do either: it is called if part of the transaction
 * matches, and if it allows, that counts only if the rule covers the whole transaction. Throws
 * `AccessUndecided` if a hook or an OPA server gives no decision.
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
