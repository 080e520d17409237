/**
 * A transaction's input without the values of its pure arguments: over gRPC a node does not describe
 * functions, so their types are not known.
 */
export function withoutPure(transaction: unknown): unknown {
  const isPure = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    (value as { readonly type?: unknown }).type === 'pure';
  return JSON.parse(
    JSON.stringify(transaction, (_key, value: unknown) => (isPure(value) ? 'pure' : value)),
  );
}
