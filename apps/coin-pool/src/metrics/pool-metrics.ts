import { Injectable } from '@nestjs/common';
import type { MaintenanceKind } from '@forecourt/coin-store';
import {
  type Counter,
  type CountGas,
  createGasCounter,
  type Gauge,
  type Histogram,
  Metrics,
} from '@forecourt/runtime/metrics';

const reservationOutcomes = ['reserved', 'no_coins', 'refused', 'failed'] as const;
/** `refused`: by the pool or a limit; `failed`: Redis did not answer. */
export type ReservationOutcome = (typeof reservationOutcomes)[number];

const repairCauses = [
  'claim_without_job',
  'execution_without_job',
  'maintenance_unsigned',
  'maintenance_interrupted',
  'coins_used_elsewhere',
  'coin_changed_elsewhere',
  'keys_lost',
  'execution_delayed',
] as const;
/** Detected and repaired faults. */
export type RepairCause = (typeof repairCauses)[number];

const kinds: readonly MaintenanceKind[] = ['split', 'fold', 'withdrawal'];
const countedOutcomes = ['made', 'failed', 'conflict', 'unknown'] as const;
/**
 * `overtaken`: another process has ended the operation after its lease; nothing was signed. `made`: done.
 * `failed`: executed or refused without effect; a repetition would fail as well. `conflict`: refused because
 * of an object, so it may still land. `unknown`: no answer.
 */
export type SubmissionOutcome = 'overtaken' | (typeof countedOutcomes)[number];
type MaintenanceLabels = {
  readonly kind: MaintenanceKind;
  readonly outcome: SubmissionOutcome;
};

const refillOutcomes = ['filled', 'short', 'unfinished', 'failed'] as const;
/** `short`: no coin was left to split; `unfinished`: interrupted, or coins are in other maintenance. */
export type RefillOutcome = (typeof refillOutcomes)[number];

const auditOutcomes = ['exact', 'changing', 'differs'] as const;
/** `changing`: no difference lasted, but the compared totals were not equal either. */
export type AuditOutcome = (typeof auditOutcomes)[number];

/** Metrics of a coin-pool's work; `measurePools` exports the state in Redis. */
@Injectable()
export class PoolMetrics {
  readonly reservations: Counter<{ outcome: ReservationOutcome }>;
  readonly reservationSeconds: Histogram;
  readonly expired: Counter;
  readonly repairs: Counter<{ cause: RepairCause }>;
  readonly maintenance: Counter<MaintenanceLabels>;
  readonly coinsMade: Counter;
  readonly refills: Counter<{ outcome: RefillOutcome }>;
  readonly countGas: CountGas<'maintenance'>;
  readonly leading: Gauge<{ sponsor: string }>;
  readonly audits: Counter<{ outcome: AuditOutcome }>;
  readonly auditDifferences: Gauge<{ sponsor: string }>;
  readonly coinsConsolidated: Counter;

  constructor(metrics: Metrics) {
    this.reservations = metrics.counter<{ outcome: ReservationOutcome }>({
      name: 'reservations_total',
      labels: ['outcome'],
      help: 'Reservation requests by outcome.',
      known: reservationOutcomes.map((outcome) => ({ outcome })),
    });
    this.reservationSeconds = metrics.histogram({
      name: 'reservation_duration_seconds',
      help: 'Time the coin-pool took to reserve gas.',
    });
    this.expired = metrics.counter({
      name: 'reservations_expired_total',
      help: 'Reservations that expired at their deadline.',
    });
    this.repairs = metrics.counter<{ cause: RepairCause }>({
      name: 'repairs_total',
      labels: ['cause'],
      help: 'Repairs after a crash or data loss, by cause.',
      known: repairCauses.map((cause) => ({ cause })),
    });
    this.maintenance = metrics.counter<MaintenanceLabels>({
      name: 'maintenance_total',
      labels: ['kind', 'outcome'],
      help: 'Splits, consolidations and withdrawals by outcome.',
      known: kinds.flatMap((kind) => countedOutcomes.map((outcome) => ({ kind, outcome }))),
    });
    this.coinsMade = metrics.counter({
      name: 'maintenance_coins_made_total',
      help: 'Coins made by splits.',
    });
    this.coinsConsolidated = metrics.counter({
      name: 'maintenance_coins_folded_total',
      help: 'Coins merged into others by consolidations.',
    });
    this.refills = metrics.counter<{ outcome: RefillOutcome }>({
      name: 'refills_total',
      labels: ['outcome'],
      help: 'Refills of the pool by outcome; short: for lack of funds, no coin was left to split before the target was reached; unfinished: interrupted, or coins are in other maintenance.',
      known: refillOutcomes.map((outcome) => ({ outcome })),
    });
    this.countGas = createGasCounter(metrics, ['maintenance']);
    this.leading = metrics.gauge<{ sponsor: string }>({
      name: 'pool_leading',
      labels: ['sponsor'],
      help: 'Whether this process leads the pool (1) or not (0).',
    });
    this.audits = metrics.counter<{ outcome: AuditOutcome }>({
      name: 'audits_total',
      labels: ['outcome'],
      help: 'Comparisons of the pool with the ledger by outcome; changing: no difference lasted, but totals were not equal either, since the pool was changing.',
      known: auditOutcomes.map((outcome) => ({ outcome })),
    });
    this.auditDifferences = metrics.gauge<{ sponsor: string }>({
      name: 'audit_differences',
      labels: ['sponsor'],
      help: 'Differences between pool and ledger at the last comparison; exported by the leader.',
    });
  }
}
