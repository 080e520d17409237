import { createHash } from 'node:crypto';
import type { Access, AccessRuleInfo, RuleSetInfo, TokenInfo } from '@forecourt/contracts';
import { formatAmount } from '@forecourt/ledger';
import type { AccessRule, AccessRules, RuleSet, UsageLimit } from '@forecourt/policy/access';
import {
  type AccessFiles,
  type Caller,
  CONFIGURED_CALLER,
  type KnownToken,
} from '@forecourt/policy/tokens';

const VERSION_DIGITS = 12;
const PERCENT = 100;

/**
 * Tokens and rules for people. Nothing of it is a secret: no hash, no key, no header, no credentials of an
 * address.
 */
export function describeAccess(
  tokens: readonly KnownToken[],
  rules: AccessRules,
  hasConfigured: boolean,
): Access {
  const described = {
    dry_run: rules.dryRun,
    tokens: [
      ...(hasConfigured ? [describeToken([], CONFIGURED_CALLER)] : []),
      ...[...Map.groupBy(tokens, ({ caller }) => caller.name).values()].map((entries) =>
        describeToken(entries, entries[0]!.caller),
      ),
    ],
    rules: [
      describeRuleSet(null, rules),
      ...[...rules.ruleSets].map(([name, set]) => describeRuleSet(name, set)),
    ],
    sponsor_budget: rules.sponsorBudget.map(describeLimit),
  };
  const hash = createHash('sha256').update(JSON.stringify(described)).digest('hex');
  return { version: hash.slice(0, VERSION_DIGITS), ...described };
}

function describeToken(entries: readonly KnownToken[], caller: Caller): TokenInfo {
  const expiry = Math.max(...entries.map(({ expiresAt }) => expiresAt));
  return {
    name: caller.name,
    roles: [...caller.roles],
    expires_at: entries.length > 0 && Number.isFinite(expiry) ? expiry : null,
    is_for_users: entries.some((entry) => 'userKey' in entry),
    rule_set: caller.ruleSet,
    limits: describeLimits(caller),
  };
}

/** The limits of a token in words. */
export function describeLimits({
  rateLimit,
  budget,
  reservation,
  quarantine,
}: Pick<Caller, 'rateLimit' | 'budget' | 'reservation' | 'quarantine'>): string[] {
  const { coins, budget: held, coinsPerMinute, budgetPerMinute, poolShare } = reservation;
  const { unusedPerMinute } = reservation;
  const some = (value: number | null | undefined, text: string) =>
    value == null ? [] : [`${text} ${value}`];
  return [
    ...(rateLimit ? [`requests <= ${rateLimit.requests} in ${inWords(rateLimit.windowMs)}`] : []),
    ...budget.map(describeLimit),
    ...some(coins, 'coins at once <='),
    ...some(held, 'reserved budget <='),
    ...some(coinsPerMinute, 'coins per minute <='),
    ...some(budgetPerMinute, 'budget per minute <='),
    ...some(unusedPerMinute, 'unused reservations per minute <='),
    ...(poolShare == null ? [] : [`share of the pool <= ${poolShare}/${PERCENT}`]),
    ...(quarantine ? [`quarantined <= ${quarantine.most} in ${inWords(quarantine.windowMs)}`] : []),
  ];
}

function describeRuleSet(name: string | null, { policy, rules }: RuleSet): RuleSetInfo {
  return { name, policy, rules: rules.map(describeRule) };
}

function describeRule({
  name,
  line,
  action,
  conditions,
  limits,
  message,
}: AccessRule): AccessRuleInfo {
  const hook = typeof action === 'string' ? null : new URL(action.url);
  return {
    name,
    line,
    action: typeof action === 'string' ? action : 'hook',
    hook: hook && `${hook.origin}${hook.pathname}`,
    conditions: conditions.map((one) => `${one.name}: ${one.text}`),
    limits: limits.map(describeLimit),
    message,
  };
}

/** `requests <= 5 in 1 day for each token`, `gas <= 5 IOTA in total until 2026-12-31T00:00:00.000Z`. */
export function describeLimit({
  counts,
  comparison,
  windowMs,
  until,
  countBy = [],
}: Pick<UsageLimit, 'counts' | 'comparison' | 'windowMs' | 'until'> &
  Partial<Pick<UsageLimit, 'countBy'>>): string {
  const { operator, limit } = comparison;
  const by = countBy.map((one) => (typeof one === 'string' ? one : `http-header::${one.header}`));
  const each = by.length === 0 ? '' : ` for each ${by.join(' and ')}`;
  const amount = counts === 'gas' ? formatAmount(limit) : String(limit);
  const end = until === null ? '' : ` until ${new Date(until).toISOString()}`;
  const period = windowMs === null ? `total${end}` : inWords(windowMs);
  return `${counts} ${operator} ${amount} in ${period}${each}`;
}

/** `1 day`, `90 seconds`. */
function inWords(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  const [unit, size] = units.find(([, size]) => ms % size === 0) ?? (['second', 1_000] as const);
  return `${ms / size} ${unit}${ms === size ? '' : 's'}`;
}

/** The limit that a counter counts for, in words for operators; null: it is in none of these files. */
export function describeCounter(files: AccessFiles, counter: string): string | null {
  // Counters of a limit with groups are named after the limit.
  const [name] = counter.split(':');
  for (const [limit, whose] of limitsIn(files)) {
    if (limit.counter === name) return `${describeLimit(limit)}, ${whose}`;
  }
  return null;
}

function* limitsIn({
  rules,
  tokens,
}: AccessFiles): Generator<readonly [limit: UsageLimit, whose: string]> {
  for (const { caller } of tokens) {
    for (const limit of caller.budget) yield [limit, `the budget of token ${caller.token}`];
  }
  for (const limit of rules.sponsorBudget) yield [limit, 'the budget of the sponsor'];
  for (const [set, { rules: list }] of [['', rules] as const, ...rules.ruleSets]) {
    const of = set === '' ? '' : ` of rule set ${set}`;
    for (const rule of list) {
      for (const limit of rule.limits) yield [limit, `rule ${rule.name}${of}`];
    }
  }
}
