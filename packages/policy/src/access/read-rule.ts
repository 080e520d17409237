import { redactUrls } from '@forecourt/contracts';
import { InvalidFile, type YamlValue } from '../yaml/index.js';
import type { AccessAction, AccessRule } from './access-rules.js';
import type { ReservationSubject } from './access-subject.js';
import { readArgument, readArgumentFunctions } from './conditions/argument-condition.js';
import { BALANCE_CHANGES, readBalanceChanges } from './conditions/balance-condition.js';
import type { Condition, Quantifier, ReadCondition, ReadContext } from './conditions/condition.js';
import {
  readReservationDuration,
  readReservationGasBudget,
  readSponsor,
  readSponsors,
  readTime,
  readToken,
} from './conditions/reservation-conditions.js';
import { readExpression } from './conditions/expression-condition.js';
import {
  readCommandKinds,
  readFunction,
  readPackageAddress,
} from './conditions/move-call-conditions.js';
import { readTypeArgument } from './conditions/type-condition.js';
import {
  readAbstractAccount,
  readCommandCount,
  readCommandKind,
  readGasPriceRatio,
  readObjectId,
  readSenderAddress,
  readTransactionGasBudget,
} from './conditions/transaction-conditions.js';
import { readHook } from './hooks/hook.js';
import { readRego } from './rego/rego-condition.js';
import { announced, readUsageLimit, type UsageLimit } from './usage/usage-limit.js';

/** Conditions that need no transaction; they are also evaluated for reservations. */
const reservationConditions: Readonly<
  Record<string, ReadCondition<(subject: ReservationSubject) => boolean>>
> = {
  token: readToken,
  sponsor: readSponsor,
  time: readTime,
  'reservation-gas-budget': readReservationGasBudget,
  'reservation-duration-secs': readReservationDuration,
};

/** Conditions on transactions, the expensive ones last. */
const transactionConditions: Readonly<Record<string, ReadCondition>> = {
  'sender-address': readSenderAddress,
  'abstract-account': readAbstractAccount,
  'transaction-gas-budget': readTransactionGasBudget,
  'gas-price-ratio': readGasPriceRatio,
  'ptb-command-count': readCommandCount,
  'command-kind': readCommandKind,
  'move-call-package-address': readPackageAddress,
  'move-call-function': readFunction,
  'type-argument': readTypeArgument,
  'object-id': readObjectId,
  argument: readArgument,
  expression: readExpression,
  'rego-expression': readRego,
  [BALANCE_CHANGES]: readBalanceChanges,
};

const LIMITS = ['gas-usage', 'requests'] as const;

/** Everything that a rule may depend on, by its key. */
export const CONDITIONS: readonly string[] = [
  ...Object.keys(reservationConditions),
  ...Object.keys(transactionConditions),
  ...LIMITS,
];

/** Conditions that a transaction without Move calls does not meet. */
const OF_CALLS: ReadonlySet<string> = new Set([
  'move-call-package-address',
  'move-call-function',
  'argument',
]);

const NAME = /^[\w .:-]{1,64}$/;
const LONGEST_MESSAGE = 500;
const NOT_PART_OF_COUNTER: readonly string[] = ['name', 'action', 'message', ...LIMITS];

/** Reads one rule of the general rules (`ruleSet` is null) or of a named rule set. Throws `InvalidFile`. */
export async function readRule(
  value: YamlValue,
  ruleSet: string | null,
  sources: ReadContext,
): Promise<AccessRule> {
  if (!value.isMap) throw new InvalidFile(value.line, 'a rule must be a mapping');
  const map = value.map();
  const limits = readLimits(map, ruleSet);
  const action = readAction(map, limits);
  const conditions = await readConditions(map, sources, action === 'allow' ? 'every' : null);
  const named = map.take('command-kind');
  const argument = map.take('argument');
  const sponsors = map.take('sponsor');
  const commandKinds = named && readCommandKinds(named);
  if (action === 'allow' && commandKinds && !commandKinds.has('MoveCall')) {
    const needing = conditions.find((one) => OF_CALLS.has(one.name));
    if (needing) {
      const reason = `its command-kind has no MoveCall, which ${needing.name} needs`;
      throw new InvalidFile(map.line, `the rule never holds: ${reason}`);
    }
  }
  const name = map.take('name')?.parse((text) => {
    if (!NAME.test(text)) {
      throw new Error('must be 1 to 64 letters, digits, spaces and any of _ . : -');
    }
    return text;
  });
  const message = map.take('message')?.text().slice(0, LONGEST_MESSAGE) ?? null;
  map.refuseOthers('a rule');
  const budget = { kind: 'rule', name: name ?? `line ${map.line}`, ruleSet } as const;
  return {
    name: budget.name,
    line: map.line,
    conditions,
    sponsors: sponsors && readSponsors(sponsors, sources.sponsorNames),
    // A rule that denies within its limit has no budget.
    limits: action === 'deny' ? limits : limits.map((limit) => announced(limit, budget)),
    action,
    message,
    commandKinds,
    namesFunction: argument && readArgumentFunctions(argument),
  };
}

async function readConditions(
  map: YamlValue,
  context: ReadContext,
  quantifier: Quantifier | null,
): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const [name, read] of Object.entries(reservationConditions)) {
    const value = map.take(name);
    if (!value) continue;
    const holds = await read(value, context, quantifier);
    conditions.push({ name, text: textOf(value), needs: 'reservation', holds });
  }
  for (const [name, read] of Object.entries(transactionConditions)) {
    const value = map.take(name);
    if (!value) continue;
    const holds = await read(value, context, quantifier);
    conditions.push({ name, text: textOf(value), needs: 'transaction', holds });
  }
  return conditions;
}

/** For people: without the secrets of URLs in it. */
const textOf = (value: YamlValue): string => {
  const plain = value.plain();
  if (typeof plain === 'string') return redactUrls(plain);
  return JSON.stringify(plain, (_key, one: unknown) =>
    typeof one === 'string' ? redactUrls(one) : one,
  );
};

/**
 * A counter is identified by its rule set and the rule's name, or else its conditions, so that it survives a
 * changed value or action.
 */
function readLimits(map: YamlValue, ruleSet: string | null): UsageLimit[] {
  const conditions = map
    .entries()
    .filter(([key]) => !NOT_PART_OF_COUNTER.includes(key))
    .map(([key, value]) => [key, value.plain()]);
  const name = map.take('name')?.text();
  const rule = name ?? conditions;
  const identity = ruleSet === null ? rule : { ruleSet, rule };
  return LIMITS.flatMap((key) => {
    const value = map.take(key);
    return value ? [readUsageLimit(value, key === 'requests' ? key : 'gas', identity)] : [];
  });
}

function readAction(map: YamlValue, limits: readonly UsageLimit[]): AccessAction {
  const value = map.take('action');
  if (value === null) {
    // Documented by IOTA's gas station: such a rule allows within its limit.
    if (limits.length > 0) return 'allow';
    throw new InvalidFile(map.line, 'the rule has no action');
  }
  if (value.isMap) return readHook(value);
  const text = value.text();
  if (text === 'allow' || text === 'deny') return text;
  if (/^https?:/.test(text)) return readHook(value);
  return value.fail('must be allow, deny, or the URL of a hook');
}
