import type { AccessRule, AccessRules, RuleSet } from '../access-rules.js';
import { warnAboutPolicy } from './warn-about-policy.js';
import { warnAboutRule } from './warn-about-rule.js';

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
