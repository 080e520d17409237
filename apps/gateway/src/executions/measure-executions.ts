import { ForecourtError } from '@forecourt/contracts';
import { InvalidTransactionBytes, LedgerUnreachable } from '@forecourt/ledger';
import { type Metrics, startStopwatch } from '@forecourt/runtime/metrics';
import type { Effects } from './execute-tx.js';

/** Answers what `execute` answers, and takes down how that ended and how long it took. */
export type MeasureExecution = (execute: () => Promise<Effects>) => Promise<Effects>;

/** To be called once for a process. */
export function measureExecutions(metrics: Metrics): MeasureExecution {
  const requests = metrics.counter<{ outcome: string }>({
    name: 'execute_requests_total',
    labels: ['outcome'],
    help: 'Calls of execute: executed, or the code of the error that was answered, in lower case.',
    known: [{ outcome: 'executed' }, { outcome: 'outcome_unknown' }, { outcome: 'internal' }],
  });
  const duration = metrics.histogram<{ outcome: 'executed' | 'failed' }>({
    name: 'execute_request_duration_seconds',
    labels: ['outcome'],
    help: 'The whole path of execute, from the request that was read to the effects or the error.',
    known: [{ outcome: 'executed' }, { outcome: 'failed' }],
  });
  return async (execute) => {
    const seconds = startStopwatch();
    try {
      const effects = await execute();
      requests.add({ outcome: 'executed' });
      duration.observe({ outcome: 'executed' }, seconds());
      return effects;
    } catch (error) {
      requests.add({ outcome: codeOf(error).toLowerCase() });
      duration.observe({ outcome: 'failed' }, seconds());
      throw error;
    }
  };
}

/** One of the table of errors. */
function codeOf(error: unknown): string {
  if (error instanceof ForecourtError) return error.code;
  if (error instanceof InvalidTransactionBytes) return 'INVALID_TRANSACTION_BYTES';
  return error instanceof LedgerUnreachable ? 'LEDGER_UNREACHABLE' : 'INTERNAL';
}
