import { canonicalType } from '@forecourt/contracts';
import type { BalanceChange, DecodedTransaction } from '@forecourt/ledger';
import { readYaml, type YamlMap, type YamlValue } from '../../yaml/index.js';
import { measured } from '../access-subject.js';
import type { Quantifier, ReadCondition } from './condition.js';
import { type Comparison, fits, readAddress, readComparison } from './read-operands.js';

/** Name of the condition. */
export const BALANCE_CHANGES = 'balance-changes';

/** An address in full form, `sender` or `sponsor`. */
type Owner = string;

/** Of a transaction. */
type Parties = Pick<DecodedTransaction, 'sender' | 'gasOwner'>;

type Test = (changes: readonly BalanceChange[], addressOf: (owner: Owner) => string) => boolean;

/**
 * `balance-changes`: a list of `{owner, coin-type, receives}`, `{owner, coin-type, spends}` and `{only: [owner]}`, judged by
 * a dry run. All must hold to allow, one to deny. Without a dry run that succeeds they are undecided: they do not allow,
 * and they deny.
 */
export const readBalanceChanges: ReadCondition = (value) => {
  const tests = value.list().map(readTest);
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
  const holds = (test: Test) => test(changes, addressOf);
  return quantifier === 'every' ? tests.every(holds) : tests.some(holds);
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
  return (changes, addressOf) => {
    const named = new Set(owners.map(addressOf));
    return changes.every(({ owner }) => owner !== null && named.has(owner));
  };
}

function readAmount(map: YamlMap, value: YamlValue): Test {
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
  return (changes, addressOf) => {
    const address = addressOf(owner);
    const received = changes
      .filter((change) => change.owner === address && change.coinType === coinType)
      .reduce((sum, { amount }) => sum + amount, 0n);
    return fits(comparison, receives ? received : -received);
  };
}

/** Throws `Error` with the required format. */
function readOwner(text: string): Owner {
  return text === 'sender' || text === 'sponsor' ? text : readAddress(text);
}
