import type { App } from '@forecourt/testing/system';

/** The services in the order in which they are upgraded (docs/operations/upgrades.md). */
export const apps = [
  'executor',
  'coin-pool',
  'events',
  'history',
  'gateway',
] as const satisfies App[];

/** One pass through all replicas, one after the other. */
export interface Phase {
  readonly name: string;
  readonly to: 'old' | 'new';
  readonly order: readonly App[];
}

export const phases: readonly Phase[] = [
  { name: 'upgrade', to: 'new', order: apps },
  { name: 'rollback', to: 'old', order: apps.toReversed() },
  { name: 'upgrade again', to: 'new', order: apps },
];

/** The results of replacing one replica and of the load that followed. */
export interface Step {
  readonly phase: string;
  readonly replica: string;
  /** Null: a signal ended it. */
  readonly exitCode: number | null;
  readonly stopMs: number;
  readonly readyMs: number;
  readonly transactions: number;
  readonly repeated: number;
  readonly pages: number;
  /** Requests that were repeated because they were asked to wait (503, `Retry-After`). */
  readonly requests: number;
  /** Requests that were repeated because no gateway listened. */
  readonly refused: number;
  /** The version that a gateway reports; null for other services. */
  readonly version: string | null;
}
