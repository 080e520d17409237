import { canonicalType } from '@forecourt/contracts';
import type { BalanceChange, DecodedTransaction } from '@forecourt/ledger';
import { readYaml, type YamlValue } from '../../yaml/index.js';
import { measured } from '../access-subject.js';
import type { Quantifier, ReadCondition } from './condition.js';
import {
  type Comparison,
  decisiveAmounts,
  fits,
  readAddress,
  readComparison,
} from './read-operands.js';

/** Name of the condition. */
export const BALANCE_CHANGES = 'balance-changes';

/** An address in full form, `sender` or `sponsor`. */
type Owner = string;

/** Of a transaction. */
type Parties = Pick<DecodedTransaction, 'sender' | 'gasOwner'>;

interface Test {
  readonly holds: (
    changes: readonly BalanceChange[],
    addressOf: (owner: Owner) => string,
  ) => boolean;
  /** Null: it names the only owners. */
  readonly sum: NamedSum | null;
  readonly only: readonly Owner[] | null;
}

/** The sum of changes of one owner and coin, as it is received. */
interface NamedSum {
  readonly owner: Owner;
  readonly coinType: string;
  readonly limit: bigint;
  readonly fits: (received: bigint) => boolean;
}

/** The largest balance that a coin can have. */
const MOST_CHANGED = 2n ** 64n - 1n;

/**
 * `balance-changes`: a list of `{owner, coin-type, receives}`, `{owner, coin-type, spends}` and `{only:
 * [owner]}`, judged by a dry run. All must hold to allow, one to deny. Without a dry run that succeeds they
 * are undecided: they do not allow, and they deny.
 */
export const readBalanceChanges: ReadCondition = (value, _context, quantifier) => {
  const tests = value.list().map(readTest);
  if (quantifier === 'every') requirePossible(value, tests);
  return async (subject, quantifier) => {
    const changes = await subject.readBalanceChanges();
    if (changes === null) return quantifier === 'any';
    return measured(subject, () => holdsFor(tests, changes, subject.transaction, quantifier));
  };
};

/** Whether the condition with this text holds for balance changes. Throws `InvalidFile`. */
export function balanceChangesHold(
  text: string,
  changes: readonly BalanceChange[],
  parties: Parties,
  quantifier: Quantifier,
): boolean {
  const value = readYaml(`{ ${BALANCE_CHANGES}: ${text} }`).require(BALANCE_CHANGES);
  return holdsFor(value.list().map(readTest), changes, parties, quantifier);
}

function holdsFor(
  tests: readonly Test[],
  changes: readonly BalanceChange[],
  { sender, gasOwner }: Parties,
  quantifier: Quantifier,
): boolean {
  const addressOf = (owner: Owner) =>
    owner === 'sender' ? sender : owner === 'sponsor' ? gasOwner : owner;
  const holds = (test: Test) => test.holds(changes, addressOf);
  return quantifier === 'every' ? tests.every(holds) : tests.some(holds);
}

/** Throws `InvalidFile` if the entries contradict each other. */
function requirePossible(value: YamlValue, tests: readonly Test[]): void {
  const sums = tests.flatMap(({ sum }) => sum ?? []);
  const ofOneCoin = Object.groupBy(sums, ({ owner, coinType }) => `${owner} ${coinType}`);
  for (const together of Object.values(ofOneCoin) as NamedSum[][]) {
    const { owner, coinType } = together[0]!;
    const limits = together.map(({ limit }) => limit);
    const amounts = tests.some(({ only }) => only && areOthers(only, owner))
      ? [0n]
      : decisiveAmounts(limits, -MOST_CHANGED, MOST_CHANGED);
    if (amounts.some((amount) => together.every((sum) => sum.fits(amount)))) continue;
    value.fail(`never holds: no amount fits all entries for ${owner} and ${coinType}`);
  }
}

/** Whether the owner is certainly none of these: the addresses of the parties are not known. */
function areOthers(owners: readonly Owner[], owner: Owner): boolean {
  return [owner, ...owners].every((one) => one.startsWith('0x')) && !owners.includes(owner);
}

function readTest(value: YamlValue): Test {
  const map = value.map();
  const only = map.take('only');
  const test = only ? readOnly(only) : readAmount(map, value);
  map.refuseOthers('a balance change');
  return test;
}

function readOnly(value: YamlValue): Test {
  const owners = value.list().map((one) => one.parse(readOwner));
  return {
    only: owners,
    sum: null,
    holds: (changes, addressOf) => {
      const named = new Set(owners.map(addressOf));
      return changes.every(({ owner }) => owner !== null && named.has(owner));
    },
  };
}

function readAmount(map: YamlValue, value: YamlValue): Test {
  const owner = map.require('owner').parse(readOwner);
  const coinType = map.require('coin-type').parse((text) => {
    const type = canonicalType(text);
    if (type === null) throw new Error('must be the type of a coin, such as 0x2::iota::IOTA');
    return type;
  });
  const receives = map.take('receives')?.parse(readComparison);
  const spends = map.take('spends')?.parse(readComparison);
  const comparison: Comparison =
    receives ?? spends ?? value.fail('has neither receives nor spends');
  if (receives && spends) value.fail('has both receives and spends; write an entry for each');
  const isFitting = (received: bigint) => fits(comparison, receives ? received : -received);
  return {
    only: null,
    sum: {
      owner,
      coinType,
      limit: receives ? comparison.limit : -comparison.limit,
      fits: isFitting,
    },
    holds: (changes, addressOf) => {
      const address = addressOf(owner);
      const received = changes
        .filter((change) => change.owner === address && change.coinType === coinType)
        .reduce((sum, { amount }) => sum + amount, 0n);
      return isFitting(received);
    },
  };
}

/** Throws `Error` with the required format. */
function readOwner(text: string): Owner {
  return text === 'sender' || text === 'sponsor' ? text : readAddress(text);
}
