import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The answer of a node: a result or an error. */
export interface Answer {
  readonly error?: RpcError;
  readonly result?: unknown;
}

/**
 * A call to a node of 2025 (version 0.8.0-alpha, protocol 2) with its answer; lists are cut to three entries.
 */
export interface RecordedCall extends Answer {
  readonly name: string;
  readonly request: { readonly method: string; readonly params: readonly unknown[] };
}

const FILE = fileURLToPath(new URL('../../../recorded-node/answers.jsonl', import.meta.url));

/** In an order that can be replayed: a dry run comes before its transaction. */
export function readRecording(): readonly RecordedCall[] {
  const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  const calls = lines.map((line) => JSON.parse(line) as RecordedCall);
  const named = (method: string) => calls.filter(({ request }) => request.method === method);
  const simulations = named('iota_dryRunTransactionBlock');
  const submissions = named('iota_executeTransactionBlock');
  const writes = new Set([...simulations, ...submissions]);
  return [...writes, ...calls.filter((call) => !writes.has(call))];
}
