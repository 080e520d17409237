import { type CommandKind, formatAmount, MIN_COMPUTATION_UNITS } from '@forecourt/ledger';
import type { AccessRule, AccessRules, RuleSet } from './access-rules.js';
import type { UsageLimit } from './usage/usage-limit.js';
import { CONTENT_CONDITIONS } from './find-mismatch.js';
import type { Condition } from './conditions/condition.js';
import { endOfTime } from './conditions/reservation-conditions.js';
import { ANY, type Comparison, readComparison } from './conditions/read-operands.js';

/**
 * One sentence for each transaction that rules may allow unintentionally: it names the rule and its line, the
 * risk and the remedy. The rules stay usable.
 */
export function warnAboutRules(rules: AccessRules): string[] {
  const hasBudget = rules.sponsorBudget.length > 0;
  const others = [...rules.ruleSets].flatMap(([name, ruleSet]) =>
    warnAboutRuleSet(ruleSet, hasBudget).map((warning) => `rule set ${name}, ${warning}`),
  );
  return [...warnAboutRuleSet(rules, hasBudget), ...others];
}

/**
 * One sentence for each limit that has no room for any transaction: it has ended, or is an amount of IOTA
 * written in the smallest unit; and for each time that is over. `budgets`: those of tokens, by the token's
 * name.
 */
export function warnAboutLimits(
  rules: AccessRules,
  budgets: ReadonlyMap<string, readonly UsageLimit[]>,
): string[] {
  const ofRules = [rules, ...rules.ruleSets.values()].flatMap((ruleSet) => ruleSet.rules);
  return [
    ...withoutRoom('sponsor-budget', rules.sponsorBudget),
    ...ofRules.flatMap((rule) => [
      ...withoutRoom(describeRule(rule), rule.limits),
      ...rule.conditions
        .filter(({ name }) => name === 'time')
        .flatMap(({ text }) => ended(describeRule(rule), endOfTime(text))),
      ...rule.conditions
        .filter(({ name }) => BUDGET_CONDITIONS.has(name))
        .flatMap(({ name, text }) =>
          tooSmall(`${describeRule(rule)}: its ${name}`, readComparison(text)),
        ),
    ]),
    ...[...budgets].flatMap(([token, limits]) => withoutRoom(`budget of token ${token}`, limits)),
  ];
}

/** Only a warning: a rule for a time stays in the file when gateways restart after that time. */
function ended(name: string, end: number | null): string[] {
  if (end === null || end > Date.now()) return [];
  const endText = new Date(end).toISOString();
  return [
    `${name}: its time ended at ${endText} and never holds again; set a later before, or remove the rule`,
  ];
}

const BUDGET_CONDITIONS = new Set(['transaction-gas-budget', 'reservation-gas-budget']);

function withoutRoom(name: string, limits: readonly UsageLimit[]): string[] {
  return limits.flatMap(({ counts, comparison, until }) => {
    if (until !== null && until <= Date.now()) {
      return [
        `${name}: its limit ended at ${new Date(until).toISOString()} and has no room; set a later until, or remove it`,
      ];
    }
    return counts === 'gas' ? tooSmall(`${name}: its limit`, comparison) : [];
  });
}

/** The cost of the cheapest transaction at the usual price of 1000. */
const LEAST_COST = MIN_COMPUTATION_UNITS * 1_000n;

function tooSmall(what: string, { operator, limit }: Comparison): string[] {
  if (!['<', '<=', '='].includes(operator) || limit >= LEAST_COST) return [];
  return [
    `${what} of ${limit} is in the smallest unit, ${formatAmount(limit)}, and less than any transaction costs; if IOTA is meant, write ${limit} IOTA`,
  ];
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
function warnAboutPolicy({ policy, rules }: RuleSet, hasBudget: boolean): string[] {
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

/** Warnings about one rule; none if it denies. `hasBudget`: the file has a `sponsor-budget`. */
function warnAboutRule(rule: AccessRule, hasBudget: boolean): string[] {
  if (rule.action === 'deny') return [];
  return [
    ...warnAboutKinds(rule),
    ...(hasBudget ? [] : warnAboutStorage(rule)),
    ...warnAboutExpression(rule),
    ...warnAboutHook(rule),
  ];
}

function warnAboutKinds(rule: AccessRule): string[] {
  const { commandKinds } = rule;
  if (commandKinds === null) {
    if (saysWhatIsDone(rule)) return [];
    return [
      'it does not restrict what transactions do, so any function may be called, and SplitCoins, MergeCoins and TransferObjects are sponsored; add move-call-function or command-kind',
    ];
  }
  const warnings: string[] = [];
  const packages = PACKAGE_KINDS.filter((kind) => commandKinds.has(kind)).join(', ');
  if (packages !== '') {
    warnings.push(
      `its command-kind names ${packages}, so the sponsor pays for storing packages of any content; leave it out, or add a sender-address condition for the permitted senders`,
    );
  }
  const transfers = TRANSFER_KINDS.filter((kind) => commandKinds.has(kind)).join(', ');
  if (transfers !== '') {
    warnings.push(
      `its command-kind names ${transfers}, so users may split, merge and transfer their coins and objects at the sponsor's expense; leave out what the application does not need`,
    );
  }
  return warnings;
}

function saysWhatIsDone({ conditions, action }: AccessRule): boolean {
  return (
    typeof action !== 'string' ||
    conditions.some(
      ({ name, text }) =>
        CONTENT_CONDITIONS.has(name) ||
        name === 'rego-expression' ||
        (name === 'expression' && /onlyCalls|onlyCommands|commandKinds|\.calls/.test(text)),
    )
  );
}

function warnAboutStorage({ limits, conditions }: AccessRule): string[] {
  const bounds = limits.filter(isUpperBound);
  if (bounds.length === 0) {
    return [
      "it has no limit on gas: users can make the sponsor pay any amount of storage deposits, which are refunded to them when they delete their objects; add gas-usage: { value: '<=1 IOTA', window: 1 day }, or a sponsor-budget",
    ];
  }
  const isOpen = !conditions.some(
    (one) => one.name === 'sender-address' && !appliesToEveryone(one),
  );
  if (!isOpen || !bounds.every(isEvadable)) return [];
  return [
    'its limit on gas is counted by a value that users choose themselves, such as an address, and they can create any number of these; add a sponsor-budget, or a budget of the token',
  ];
}

const isUpperBound = ({ counts, comparison }: UsageLimit) =>
  counts === 'gas' && ['<', '<=', '='].includes(comparison.operator);

const isEvadable = ({ countBy }: UsageLimit) =>
  countBy.some((by) => by === 'sender-address' || typeof by === 'object');

function warnAboutExpression({ conditions }: AccessRule): string[] {
  const isLoose = conditions.some(
    ({ name, text }) =>
      name === 'expression' &&
      /\.all\(|\bcalls\b/.test(text) &&
      !/only(?:Calls|Commands)\(/.test(text),
  );
  if (!isLoose) return [];
  return [
    'its expression tests calls or uses all(…), which is true of an empty list; that says nothing about other commands; add onlyCalls(tx, ["…"]) or onlyCommands(tx, ["MoveCall"])',
  ];
}

function warnAboutHook({ action }: AccessRule): string[] {
  if (typeof action === 'string' || action.whenDown !== 'allow') return [];
  return [
    'its hook has when-down: allow, so a caller who can make the hook fail or answer late decides about itself; use when-down: deny, or add a limit',
  ];
}

/** Commands that publish or upgrade packages. */
const PACKAGE_KINDS: readonly CommandKind[] = ['Publish', 'Upgrade'];

/** Commands that split, merge and transfer objects that users own. */
const TRANSFER_KINDS: readonly CommandKind[] = ['SplitCoins', 'MergeCoins', 'TransferObjects'];

/** Whether a condition matches every sender: `sender-address: '*'`. */
function appliesToEveryone({ name, text }: Condition): boolean {
  return name === 'sender-address' && text === ANY;
}
