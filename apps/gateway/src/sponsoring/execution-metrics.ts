import { Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { InvalidTransactionBytes, LedgerUnreachable } from '@forecourt/ledger';
import { type Counter, type Histogram, Metrics, startStopwatch } from '@forecourt/runtime/metrics';
import { ledgerFailure } from '@forecourt/runtime/ledger';

/** Counts how calls of execute end, and measures how long they take. */
@Injectable()
export class ExecutionMetrics {
  readonly #requests: Counter<{ outcome: string }>;
  readonly #duration: Histogram<{ outcome: 'executed' | 'failed' }>;

  constructor(metrics: Metrics) {
    this.#requests = metrics.counter({
      name: 'execute_requests_total',
      labels: ['outcome'],
      help: 'Calls of execute: executed, or the code of the error that was answered, in lower case.',
      known: [{ outcome: 'executed' }, { outcome: 'outcome_unknown' }, { outcome: 'internal' }],
    });
    this.#duration = metrics.histogram({
      name: 'execute_request_duration_seconds',
      labels: ['outcome'],
      help: 'The whole path of execute, from the request that was read to the effects or the error.',
      known: [{ outcome: 'executed' }, { outcome: 'failed' }],
    });
  }

  /** Returns the result of `execute`, and throws its error. */
  async measure<T>(execute: () => Promise<T>): Promise<T> {
    const seconds = startStopwatch();
    try {
      const result = await execute();
      this.#requests.add({ outcome: 'executed' });
      this.#duration.observe({ outcome: 'executed' }, seconds());
      return result;
    } catch (error) {
      this.#requests.add({ outcome: codeOf(error).toLowerCase() });
      this.#duration.observe({ outcome: 'failed' }, seconds());
      throw error;
    }
  }
}

/** The code in the table of errors. */
function codeOf(error: unknown): string {
  if (error instanceof ForecourtError) return error.code;
  if (error instanceof InvalidTransactionBytes) return 'INVALID_TRANSACTION_BYTES';
  return error instanceof LedgerUnreachable ? ledgerFailure(error).code : 'INTERNAL';
}
