import type { AssumedChanges } from '@forecourt/contracts';
import type { BalanceChange, DecodedTransaction } from '@forecourt/ledger';
import { BALANCE_CHANGES, balanceChangesHold } from './conditions/balance-condition.js';
import type { AccessDecision, RuleTrace } from './access-decision.js';

/**
 * Lists the conditions on balance changes that a decision to allow relies on: that of the rule that allows,
 * and those that kept rules from denying. `steps`: the evaluated rules.
 */
export function changesAssumedBy(
  { rule: decides }: Pick<AccessDecision, 'rule'>,
  steps: readonly RuleTrace[],
): readonly AssumedChanges[] {
  return steps.flatMap(({ rule, failed }) => {
    const isDecisive = rule === decides;
    if (!isDecisive && rule.action !== 'deny') return [];
    const condition = isDecisive
      ? rule.conditions.find(({ name }) => name === BALANCE_CHANGES)
      : failed;
    if (condition?.name !== BALANCE_CHANGES) return [];
    const quantifier = isDecisive ? 'every' : 'any';
    return [{ rule: rule.name, line: rule.line, quantifier, condition: condition.text }];
  });
}

/** Whether an executed transaction has changed balances as was assumed. */
export function areAsAssumed(
  { condition, quantifier }: AssumedChanges,
  changes: readonly BalanceChange[],
  parties: Pick<DecodedTransaction, 'sender' | 'gasOwner'>,
): boolean {
  return balanceChangesHold(condition, changes, parties, quantifier) === (quantifier === 'every');
}
