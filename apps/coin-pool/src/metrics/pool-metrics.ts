import type { MaintenanceKind } from '@forecourt/coin-store';
import {
  type Counter,
  type CountGas,
  countGas,
  type Gauge,
  type Histogram,
  type Metrics,
} from '@forecourt/runtime/metrics';
import type { MaintenanceOutcome } from '../filling/maintenance-outcome.js';

const reservationOutcomes = ['reserved', 'no_coins', 'refused', 'failed'] as const;
/** `refused`: the pool does not serve it; `failed`: Redis did not answer. */
export type ReservationOutcome = (typeof reservationOutcomes)[number];

const repairCauses = [
  'claim_without_job',
  'execution_without_job',
  'maintenance_unsigned',
  'maintenance_interrupted',
  'coins_used_elsewhere',
  'coin_changed_elsewhere',
] as const;
/** What the reconciler found and put right. */
export type RepairCause = (typeof repairCauses)[number];

const kinds: readonly MaintenanceKind[] = ['split', 'fold'];
const maintenanceOutcomes = ['made', 'failed', 'conflict', 'unknown'] as const;
type SeenMaintenance = {
  readonly kind: MaintenanceKind;
  readonly outcome: Exclude<MaintenanceOutcome, 'idle'>;
};

const refillOutcomes = ['filled', 'short', 'failed'] as const;
/** `short`: nothing that could be split was left. */
export type RefillOutcome = (typeof refillOutcomes)[number];

/** What a coin-pool measures of its own doing; what stands in Redis is in `measurePools`. */
export interface PoolMetrics {
  readonly reservations: Counter<{ outcome: ReservationOutcome }>;
  readonly reservationSeconds: Histogram;
  readonly expired: Counter;
  readonly repairs: Counter<{ cause: RepairCause }>;
  readonly maintenance: Counter<SeenMaintenance>;
  readonly coinsMade: Counter;
  readonly coinsFolded: Counter;
  readonly refills: Counter<{ outcome: RefillOutcome }>;
  readonly gas: CountGas<'maintenance'>;
  readonly leading: Gauge<{ sponsor: string }>;
  readonly audits: Counter<{ outcome: 'exact' | 'differs' }>;
  readonly auditDifferences: Gauge<{ sponsor: string }>;
}

/** To be called once for a process. */
export function poolMetrics(metrics: Metrics): PoolMetrics {
  return {
    reservations: metrics.counter<{ outcome: ReservationOutcome }>({
      name: 'reservations_total',
      labels: ['outcome'],
      help: 'Requests for a reservation, by how they were answered.',
      known: reservationOutcomes.map((outcome) => ({ outcome })),
    }),
    reservationSeconds: metrics.histogram({
      name: 'reservation_duration_seconds',
      help: 'How long it took to reserve gas, in the coin-pool.',
    }),
    expired: metrics.counter({
      name: 'reservations_expired_total',
      help: 'Reservations whose coins the sweeper has taken back after their deadline.',
    }),
    repairs: metrics.counter<{ cause: RepairCause }>({
      name: 'repairs_total',
      labels: ['cause'],
      help: 'What the reconciler has put right after a crash or a loss, by what it found.',
      known: repairCauses.map((cause) => ({ cause })),
    }),
    maintenance: metrics.counter<SeenMaintenance>({
      name: 'maintenance_total',
      labels: ['kind', 'outcome'],
      help: 'Splits and folds by what became of them.',
      known: kinds.flatMap((kind) => maintenanceOutcomes.map((outcome) => ({ kind, outcome }))),
    }),
    coinsMade: metrics.counter({
      name: 'maintenance_coins_made_total',
      help: 'Coins that splits have made.',
    }),
    coinsFolded: metrics.counter({
      name: 'maintenance_coins_folded_total',
      help: 'Coins that folds have merged into others.',
    }),
    refills: metrics.counter<{ outcome: RefillOutcome }>({
      name: 'refills_total',
      labels: ['outcome'],
      help: 'Times the pool was found low and filled; short: before its target nothing was left to split.',
      known: refillOutcomes.map((outcome) => ({ outcome })),
    }),
    gas: countGas(metrics, ['maintenance']),
    leading: metrics.gauge<{ sponsor: string }>({
      name: 'pool_leading',
      labels: ['sponsor'],
      help: 'Whether this process keeps the pool in order (1) or another does (0).',
    }),
    audits: metrics.counter<{ outcome: 'exact' | 'differs' }>({
      name: 'audits_total',
      labels: ['outcome'],
      help: 'Comparisons of the pool with the ledger.',
      known: [{ outcome: 'exact' }, { outcome: 'differs' }],
    }),
    auditDifferences: metrics.gauge<{ sponsor: string }>({
      name: 'audit_differences',
      labels: ['sponsor'],
      help: 'Differences between pool and ledger at the last comparison; shown by the process that leads.',
    }),
  };
}
