import type { ReadOfTransaction } from './condition.js';
import { readAddresses } from './read-addresses.js';
import { type MatchCall, readFunctionPattern } from './read-function-pattern.js';

/** `move-call-package-address`. */
export const readPackageAddress: ReadOfTransaction = (value) => {
  const packages = readAddresses(value);
  return ofMoveCalls(({ packageId }) => packages === null || packages.has(packageId));
};

/** `move-call-function`: `<package>::<module>::<function>`, or a list; `*` stands for any part. */
export const readFunction: ReadOfTransaction = (value) => {
  const matchers = value.list().map((one) => one.parse(readFunctionPattern));
  return ofMoveCalls((call) => matchers.some((matches) => matches(call)));
};

function ofMoveCalls(matches: MatchCall): Awaited<ReturnType<ReadOfTransaction>> {
  return ({ transaction: { moveCalls } }, quantifier) =>
    quantifier === 'every'
      ? moveCalls.length > 0 && moveCalls.every(matches)
      : moveCalls.some(matches);
}
