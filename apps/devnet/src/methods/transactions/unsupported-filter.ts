import { invalidParams, type JsonRpcError } from '@forecourt/json-rpc';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';

/** A full node's answer to a filter without an index: the filter in Rust's `Debug` form, wrapped twice. */
export function unsupportedFilter(kind: string, argument: unknown): JsonRpcError {
  const debug = `Some(${kind}${debugForm(argument)})`;
  return invalidParams(
    `Error checking transaction input objects: Unsupported(${JSON.stringify(debug)})`,
  );
}

function debugForm(argument: unknown): string {
  if (Array.isArray(argument)) return `([${argument.map((one) => value(one)).join(', ')}])`;
  if (typeof argument !== 'object' || argument === null) return `(${value(argument)})`;
  const fields = Object.entries(argument).map(([name, one]) => `${name}: ${value(one)}`);
  return ` { ${fields.join(', ')} }`;
}

function value(one: unknown): string {
  if (typeof one !== 'string') return String(one);
  return one.startsWith('0x') ? normalizeIotaAddress(one) : JSON.stringify(one);
}
