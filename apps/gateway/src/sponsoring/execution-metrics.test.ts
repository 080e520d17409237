import { describe, expect, it } from '@jest/globals';
import { ForecourtError } from '@forecourt/contracts';
import { InvalidTransactionBytes, LedgerUnreachable } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { ExecutionMetrics } = await import('./execution-metrics.js');

/** The end of a call of execute, and the counters that it has increased. */
async function measure(execute: () => Promise<Record<string, unknown>>) {
  const metrics = new Metrics();
  const ended = await new ExecutionMetrics(metrics)
    .measure(execute)
    .catch((error: unknown) => error);
  const { text } = await metrics.expose();
  const counted = text
    .split('\n')
    .filter((line) => /(_total|_seconds_count)\{/.test(line) && line.endsWith(' 1'))
    .map((line) => /execute_(\w+)\{outcome="(\w+)"/.exec(line)?.slice(1).join(' '));
  return { ended, counted };
}

describe('a call of execute that is measured', () => {
  it('returns its result, and counts as executed', async () => {
    const effects = { status: 'success' };
    const { ended, counted } = await measure(async () => effects);
    expect(ended).toBe(effects);
    expect(counted).toEqual(['requests_total executed', 'request_duration_seconds_count executed']);
  });

  it.each<[string, Error]>([
    ['no_coins', new ForecourtError('NO_COINS')],
    ['invalid_transaction_bytes', new InvalidTransactionBytes('empty')],
    ['ledger_unreachable', new LedgerUnreachable('connect ECONNREFUSED')],
    ['internal', new TypeError('a defect')],
  ])('rethrows its error, and counts as %s', async (code, error) => {
    const { ended, counted } = await measure(() => Promise.reject(error));
    expect(ended).toBe(error);
    expect(counted).toEqual([`requests_total ${code}`, 'request_duration_seconds_count failed']);
  });
});
