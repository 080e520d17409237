import type { CommandKind } from '@forecourt/ledger';
import type { AccessRule, AccessRules, RuleSet } from '../access-rules.js';
import {
  appliesToEveryone,
  PACKAGE_KINDS,
  TRANSFER_KINDS,
  warnAboutRule,
} from './warn-about-rule.js';
import type { UsageLimit } from '../usage/usage-limit.js';

/**
 * One sentence for each transaction that rules may allow unintentionally: it names the rule and its line, the risk and
 * the remedy. The rules stay usable.
 */
export function warnAboutRules(rules: AccessRules): string[] {
  const hasBudget = rules.sponsorBudget.length > 0;
  const others = [...rules.ruleSets].flatMap(([name, ruleSet]) =>
    warnAboutRuleSet(ruleSet, hasBudget).map((warning) => `rule set ${name}, ${warning}`),
  );
  return [...warnAboutRuleSet(rules, hasBudget), ...others];
}

function warnAboutRuleSet(ruleSet: RuleSet, hasBudget: boolean): string[] {
  const ofPolicy = warnAboutPolicy(ruleSet, hasBudget);
  if (ruleSet.policy === 'disabled') return ofPolicy;
  const ofRules = ruleSet.rules.flatMap((rule) =>
    warnAboutRule(rule, hasBudget).map((warning) => `${describeRule(rule)}: ${warning}`),
  );
  return [...ofPolicy, ...ofRules];
}

function describeRule({ name, line }: AccessRule): string {
  return name === `line ${line}` ? `rule at line ${line}` : `rule ${name} (line ${line})`;
}

/** Warnings about transactions that no rule decides. `hasBudget`: the file has a `sponsor-budget`. */
export function warnAboutPolicy({ policy, rules }: RuleSet, hasBudget: boolean): string[] {
  if (policy === 'deny-all') return [];
  const name = `access-policy ${policy}`;
  if (policy === 'disabled') {
    return [
      `${name}: everything is sponsored, including Publish, Upgrade, transfers and any amount of storage; use deny-all and rules that allow`,
    ];
  }
  const warnings = [PACKAGE_KINDS, TRANSFER_KINDS].flatMap((kinds) => {
    const open = kinds.filter((kind) => !rules.some((rule) => deniesOutright(rule, kind)));
    if (open.length === 0) return [];
    return `${name}: it sponsors ${open.join(', ')} for everyone unless a rule denies them; add a rule with command-kind: [${open.join(', ')}] and action: deny, or use deny-all`;
  });
  if (!hasBudget && !rules.some(limitsEveryone)) {
    warnings.push(
      `${name}: nothing limits the storage deposits that the sponsor pays and that users are refunded when they delete their objects; add a sponsor-budget, or a rule with gas-usage and action: deny`,
    );
  }
  return warnings;
}

function deniesOutright(
  { action, conditions, limits, commandKinds }: AccessRule,
  kind: CommandKind,
) {
  return (
    action === 'deny' &&
    limits.length === 0 &&
    commandKinds?.has(kind) === true &&
    conditions.every((one) => one.name === 'command-kind' || appliesToEveryone(one))
  );
}

function limitsEveryone({ action, conditions, limits }: AccessRule): boolean {
  return action === 'deny' && limits.some(isLowerBound) && conditions.every(appliesToEveryone);
}

const isLowerBound = ({ counts, comparison }: UsageLimit) =>
  counts === 'gas' && comparison.operator.startsWith('>');
