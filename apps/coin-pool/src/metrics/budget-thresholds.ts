import { Injectable } from '@nestjs/common';
import type { ReachedThreshold } from '@forecourt/coin-store';
import type { BudgetKind } from '@forecourt/contracts';
import { type Gauge, Metrics } from '@forecourt/runtime/metrics';

type ThresholdLabels = {
  readonly kind: BudgetKind;
  readonly name: string;
  readonly sponsor: string;
  readonly threshold: string;
};

/** Shows when budgets have reached thresholds. */
@Injectable()
export class BudgetThresholds {
  readonly #reached: Gauge<ThresholdLabels>;

  constructor(metrics: Metrics) {
    this.#reached = metrics.gauge<ThresholdLabels>({
      name: 'budget_threshold_reached_timestamp_seconds',
      labels: ['kind', 'name', 'sponsor', 'threshold'],
      help: 'When a budget last reached a threshold (percent of its limit), by the clock of the process that has counted it.',
    });
  }

  /** Notes the thresholds that budgets of a sponsor have reached. */
  noteReached(sponsor: string, reached: readonly ReachedThreshold[]): void {
    for (const { threshold, budget } of reached) {
      const { kind, name } = budget;
      const labels = { kind, name, sponsor, threshold: String(threshold) };
      this.#reached.set(labels, Date.now() / 1_000);
    }
  }
}
