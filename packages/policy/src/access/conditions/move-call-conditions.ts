import type { ReadTransactionCondition } from './condition.js';
import { readAddresses } from './read-addresses.js';
import { type MatchCall, readFunctionPattern } from './read-function-pattern.js';

/** `move-call-package-address`. */
export const readPackageAddress: ReadTransactionCondition = (value) => {
  const packages = readAddresses(value);
  return ofMoveCalls(({ packageId }) => packages === null || packages.has(packageId));
};

/** `move-call-function`: `<package>::<module>::<function>`, or a list; `*` stands for any part. */
export const readFunction: ReadTransactionCondition = (value) => {
  const matchers = value.list().map((one) => one.parse(readFunctionPattern));
  return ofMoveCalls((call) => matchers.some((matches) => matches(call)));
};

function ofMoveCalls(matches: MatchCall): Awaited<ReturnType<ReadTransactionCondition>> {
  return ({ transaction: { moveCalls } }, quantifier) =>
    quantifier === 'every'
      ? moveCalls.length > 0 && moveCalls.every(matches)
      : moveCalls.some(matches);
}
