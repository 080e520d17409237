import { type Failpoint, failpoints } from '@forecourt/runtime/failpoints';
import type { KeyFault } from '@forecourt/testing/key-services';
import type { NodeBehaviour } from '@forecourt/testing/system';
import {
  type Detour,
  planDetour,
  planFalseAnswer,
  planLateLanding,
  planLedgerFault,
} from './plan-ledger-fault.js';
import type { Seeded } from '../support/seeded.js';
import type { StoppedBy } from './stop-sponsoring.js';

/** The services that the run kills. */
export const mortals = ['gateway', 'coin-pool', 'executor', 'history'] as const;
export type Mortal = (typeof mortals)[number];

/**
 * `kills`: the number that the plan aims at; a process may also die at its failpoint once more while it
 * recovers.
 */
export interface Size {
  readonly replicas: Readonly<Record<Mortal, number>>;
  readonly kills: number;
}

/** External disturbances, one after another. */
export type Step =
  /** SIGKILL to one process. */
  | { readonly kind: 'kill'; readonly app: Mortal; readonly replica: number }
  /** SIGKILL to Redis, which restarts from its file `downMs` later. */
  | { readonly kind: 'kill Redis'; readonly downMs: number }
  /** Redis fails over to a replica that lacks its latest writes, and back. */
  | {
      readonly kind: 'fail over Redis';
      readonly lostMs: number;
      readonly forMs: number;
      readonly lostBackMs: number;
    }
  /** SIGKILL to PostgreSQL, which restarts `downMs` later. */
  | { readonly kind: 'kill PostgreSQL'; readonly downMs: number }
  /**
   * SIGKILL to every executor between the ledger's execution and its answer; also removes their jobs if
   * `loseJobs` is set.
   */
  | { readonly kind: 'kill in flight'; readonly loseJobs: boolean }
  /** A job disappears from the queue before an executor takes it. */
  | { readonly kind: 'lose a job' }
  | { readonly kind: 'end the epoch' }
  | { readonly kind: 'break connections' }
  /** An operator drains or pauses the sponsor, and later ends that. */
  | { readonly kind: 'stop sponsoring'; readonly by: StoppedBy; readonly forMs: number }
  | { readonly kind: 'ledger fault'; readonly fault: Readonly<Record<string, unknown>> }
  /** The node's address leads to another network. */
  | ({ readonly kind: 'detour' } & Detour)
  /** The service that holds the sponsor's key does not sign, or not as it should. */
  | { readonly kind: 'key service fault'; readonly fault: KeyFault; readonly forMs: number }
  /** From this step on the node behaves like this kind of node. */
  | { readonly kind: 'change the node'; readonly node: Partial<NodeBehaviour> };
interface TimedStep {
  readonly pauseMs: number;
  readonly step: Step;
}

export const allPoints = Object.keys(failpoints) as Failpoint[];

/** One life of a process: the failpoints at which it dies. */
export type Life = ReadonlyMap<Failpoint, number>;

export interface Plan {
  readonly steps: readonly TimedStep[];
  /** Lives of each replica of each service, one after another; after the last one it is not armed. */
  readonly lives: Readonly<Record<Mortal, readonly (readonly Life[])[]>>;
  /**
   * Failpoints that are passed too rarely to wait for within one life: armed in every life until they were
   * hit this often.
   */
  readonly seldom: ReadonlyMap<Failpoint, number>;
}

/** Few transactions pass these failpoints. */
const SELDOM: readonly Failpoint[] = [
  'executor:after-refuse',
  'executor:after-quarantine',
  'executor:after-move-on',
  'coin-pool:after-take-aside',
  'coin-pool:after-bind',
  'coin-pool:after-split',
  'coin-pool:before-requeue',
];

const LATEST_PASS = 6;
const PAUSE_MS = [200, 1_200] as const;
/** Every gateway knows of a pause after a second. */
const STOPPED_MS = [1_200, 3_000] as const;
/** The part of the kills that is sent from outside instead of at a named failpoint. */
const FROM_OUTSIDE = 0.3;

/**
 * Plans every named failpoint at least once, with kills and faults from outside in between, as the seed
 * decides.
 */
export function planChaos(seeded: Seeded, { replicas, kills }: Size): Plan {
  const rounds = Math.max(1, Math.round((kills * (1 - FROM_OUTSIDE)) / allPoints.length));
  const seldom = new Map(SELDOM.map((point) => [point, rounds]));
  const lives = (app: Mortal) => planLives(seeded.branch(), app, replicas[app], rounds);
  return {
    seldom,
    lives: {
      gateway: lives('gateway'),
      'coin-pool': lives('coin-pool'),
      executor: lives('executor'),
      history: lives('history'),
    },
    steps: planSteps(seeded.branch(), replicas, Math.ceil(kills * FROM_OUTSIDE)),
  };
}

function planLives(seeded: Seeded, app: Mortal, replicas: number, rounds: number): Life[][] {
  const usual = allPoints.filter((point) => point.startsWith(`${app}:`) && !SELDOM.includes(point));
  const order = Array.from({ length: rounds }, () => seeded.shuffle(usual)).flat();
  const lives = order.map((point) => new Map([[point, seeded.integer(1, LATEST_PASS)]]));
  return Array.from({ length: replicas }, (_, replica) =>
    lives.filter((_life, index) => index % replicas === replica),
  );
}

function planSteps(seeded: Seeded, replicas: Size['replicas'], kills: number): TimedStep[] {
  const all = mortals.flatMap((app) =>
    Array.from({ length: replicas[app] }, (_, replica): Step => ({ kind: 'kill', app, replica })),
  );
  // Every process dies once first, because it is armed only after that.
  const first = seeded.shuffle(all);
  const random = Array.from({ length: Math.max(0, kills - first.length) }, () =>
    killFromOutside(seeded, all),
  );
  const others = Array.from({ length: Math.ceil(kills * 0.8) }, () => planFault(seeded));
  const certain: Step[] = [
    { kind: 'kill Redis', downMs: seeded.integer(0, 1_500) },
    planFailover(seeded),
    planFailover(seeded),
    { kind: 'kill PostgreSQL', downMs: seeded.integer(0, 3_000) },
    { kind: 'kill in flight', loseJobs: true },
    { kind: 'lose a job' },
    { kind: 'end the epoch' },
    { kind: 'ledger fault', fault: planFalseAnswer(seeded) },
    { kind: 'ledger fault', fault: planLateLanding(seeded) },
    { kind: 'ledger fault', fault: planFalseAnswer(seeded) },
    { kind: 'ledger fault', fault: planLateLanding(seeded) },
    { kind: 'detour', ...planDetour(seeded, 'kept') },
    { kind: 'detour', ...planDetour(seeded, 'broken') },
    planKeyFault(seeded),
    planKeyFault(seeded),
    { kind: 'stop sponsoring', by: 'drain', forMs: seeded.integer(...STOPPED_MS) },
    { kind: 'stop sponsoring', by: 'pause', forMs: seeded.integer(...STOPPED_MS) },
  ];
  const steps = [...first, ...seeded.shuffle([...certain, ...random, ...others])];
  return steps.map((step) => ({ step, pauseMs: seeded.integer(...PAUSE_MS) }));
}

function killFromOutside(seeded: Seeded, all: readonly Step[]): Step {
  const kind = seeded.weighted({ process: 6, redis: 2, 'in flight': 2 });
  if (kind === 'process') return seeded.pick(all);
  if (kind === 'redis') return { kind: 'kill Redis', downMs: seeded.integer(0, 1_500) };
  return { kind: 'kill in flight', loseJobs: seeded.pick([true, false]) };
}

function planFault(seeded: Seeded): Step {
  const weights = { ledger: 12, epoch: 2, connections: 1, detour: 2, job: 3, node: 2, key: 3 };
  const kind = seeded.weighted(weights);
  if (kind === 'epoch') return { kind: 'end the epoch' };
  if (kind === 'connections') return { kind: 'break connections' };
  if (kind === 'detour') {
    return { kind: 'detour', ...planDetour(seeded, seeded.pick(['kept', 'broken'])) };
  }
  if (kind === 'job') return { kind: 'lose a job' };
  if (kind === 'key') return planKeyFault(seeded);
  if (kind === 'node') return { kind: 'change the node', node: planNode(seeded) };
  return { kind: 'ledger fault', fault: planLedgerFault(seeded) };
}

/** An order is taken, sent and ended within half a second. */
function planFailover(seeded: Seeded): Step {
  return {
    kind: 'fail over Redis',
    lostMs: seeded.integer(0, 2_000),
    forMs: seeded.pick([seeded.integer(200, 3_000), seeded.integer(9_000, 12_000)]),
    lostBackMs: seeded.integer(0, 500),
  };
}

const KEY_FAULTS: readonly KeyFault[] = [
  'throttled',
  'down',
  'hanging',
  'refused',
  'truncated',
  'wrong-key',
  'wrong-signature',
];

function planKeyFault(seeded: Seeded): Step {
  const forMs = seeded.integer(300, 3_000);
  return { kind: 'key service fault', fault: seeded.pick(KEY_FAULTS), forMs };
}

/** A kind of node: of either year, behind an indexer, or without certificates for transactions. */
function planNode(seeded: Seeded): Partial<NodeBehaviour> {
  return {
    version: seeded.pick(['2025', '2026']),
    behindIndexer: seeded.pick([true, false]),
    missingIsTransient: seeded.pick([true, false]),
    certificateless: seeded.pick([true, false]),
    softLockMs: seeded.integer(500, 2_000),
    lagMs: seeded.pick([0, '0-500', '500-3000']),
  };
}
