import { UpstreamFailed } from '../event-source.js';
import type { NodeCheckpoint } from './node-json.js';

const COUNT = /^\d{1,16}$/;

/** Reads a count that a node writes as a decimal string. Throws `UpstreamFailed` for anything else. */
export function readCount(value: unknown, name: string): number {
  if (typeof value === 'string' && COUNT.test(value)) return Number(value);
  throw new UpstreamFailed(`${name}: the ledger node returned ${describe(value)}, not a number`);
}

/** Checks the fields from which events are derived. Throws `UpstreamFailed` naming the invalid one. */
export function readCheckpoint(value: unknown): NodeCheckpoint {
  const checkpoint = (value ?? {}) as NodeCheckpoint;
  const number = readCount(checkpoint.sequenceNumber, 'sequenceNumber of a checkpoint');
  for (const name of ['epoch', 'timestampMs', 'networkTotalTransactions'] as const) {
    readCount(checkpoint[name], `${name} of checkpoint ${number}`);
  }
  const { transactions } = checkpoint;
  if (!Array.isArray(transactions) || transactions.some((digest) => typeof digest !== 'string')) {
    throw new UpstreamFailed(`transactions of checkpoint ${number}: not a list of digests`);
  }
  return checkpoint;
}

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
