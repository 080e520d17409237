import type { DeliveryStatus } from '@forecourt/contracts';
import type { Counter, Histogram, Metrics } from '@forecourt/runtime/metrics';
import type { RecordedAttempt } from './delivery-store.js';

const results = ['received', 'failed', 'given_up'] as const;
type AttemptResult = (typeof results)[number];

const RESULTS: Readonly<Record<DeliveryStatus, AttemptResult>> = {
  delivered: 'received',
  waiting: 'failed',
  undelivered: 'given_up',
};

/** Figures of webhooks, for Prometheus. No label names a receiver: there may be thousands. */
export class WebhookMetrics {
  readonly #attempts: Counter<{ result: AttemptResult }>;
  readonly #duration: Histogram;

  constructor(metrics: Metrics) {
    this.#attempts = metrics.counter<{ result: AttemptResult }>({
      name: 'webhook_attempts_total',
      labels: ['result'],
      known: results.map((result) => ({ result })),
      help: 'Attempts to deliver to webhooks; failed: will be repeated; given_up: failed for the last time.',
    });
    this.#duration = metrics.histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Duration of attempts to deliver to webhooks.',
    });
  }

  countAttempt({ attempt, status }: Pick<RecordedAttempt, 'attempt' | 'status'>): void {
    this.#attempts.add({ result: RESULTS[status] });
    this.#duration.observe({}, attempt.duration_ms / 1_000);
  }
}
