import type { DecodedTransaction } from '@forecourt/ledger';
import type { AccessRule, AccessRules } from './access-rules.js';

export interface AccessDecision {
  readonly allowed: boolean;
  /** Null: no rule matched, the policy decided. */
  readonly rule: AccessRule | null;
}

/** The first rule whose conditions all hold decides; where none does, the policy. */
export function decideAccess(
  { policy, rules }: AccessRules,
  transaction: DecodedTransaction,
): AccessDecision {
  if (policy === 'disabled') return { allowed: true, rule: null };
  const rule = rules.find(({ conditions }) => conditions.every(({ holds }) => holds(transaction)));
  if (rule) return { allowed: rule.action === 'allow', rule };
  return { allowed: policy === 'allow-all', rule: null };
}
