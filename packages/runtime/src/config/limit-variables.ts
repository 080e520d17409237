import type { Limit, Limits } from '@forecourt/resilience';
import { variable, type Variable } from './variable.js';

type Value<L extends Limit> = L['default'] extends number ? number : number | null;

/** The limits that have a number: those with a default that is a number, or with a variable. */
type WithNumber<T extends Limits> = {
  [
    Key in keyof T as T[Key]['default'] extends number
      ? Key
      : T[Key]['variable'] extends string
        ? Key
        : never
  ]: Variable<Value<T[Key]>>;
};

/**
 * A table of limits as variables. Those without a name are fixed; a default that follows from others is null.
 */
export function limitVariables<const T extends Limits>(limits: T): WithNumber<T> {
  const entries = Object.entries(limits).flatMap(([key, limit]) => {
    const found = limitVariable(limit);
    return found === null ? [] : [[key, found] as const];
  });
  return Object.fromEntries(entries) as WithNumber<T>;
}

function limitVariable(limit: Limit): Variable<number | null> | null {
  const { variable: name, default: usual } = limit;
  if (name === undefined) return typeof usual === 'number' ? variable.fixed(usual) : null;
  const options = { ...limit, description: describe(limit) };
  return typeof usual === 'number'
    ? variable.integer(name, { ...options, default: usual })
    : variable.derivedInteger(name, { ...options, write: usual });
}

function describe({ what, per, error }: Limit): string {
  return `${what}, per ${per}; beyond it: ${error}`;
}
