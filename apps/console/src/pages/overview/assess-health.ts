import type { FleetFigures, FleetSponsor, Pause } from '../../api/gateway-types.js';

/** The fleet in one line, with the cause and the runbook's remedy. */
export interface Health {
  /** `unknown`: what decides cannot be read. It is no statement about the sponsors. */
  readonly level: 'healthy' | 'attention' | 'stopped' | 'unknown';
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
}

const DAYS_LEFT_SOON = 7;

type Assessed = Pick<FleetFigures, 'sponsors' | 'problems' | 'epoch' | 'queue'> & {
  readonly pauses: readonly Pick<Pause, 'scope' | 'reason' | 'by'>[] | null;
};

/** Assesses what can be read; the gravest finding comes first. */
export function assessHealth(fleet: Assessed): Health {
  return [...findHealth(fleet)][0] ?? HEALTHY;
}

const HEALTHY: Health = {
  level: 'healthy',
  title: 'Sponsoring works',
  cause: 'Every sponsor has coins, the ledger answers, and nothing is paused.',
  remedy: '',
};

function* findHealth({ sponsors, problems, epoch, queue, pauses }: Assessed): Generator<Health> {
  const everything = pauses?.find(({ scope }) => scope === 'everything');
  if (everything) {
    const { reason, by } = everything;
    yield finding(
      'stopped',
      'Sponsoring is paused',
      `${by} paused everything: “${reason}”`,
      'Resume on the page Pool when the reason is gone.',
    );
  }
  const unread = problems.find((problem) => /^(Sponsors|Replicas|The queue) /.test(problem));
  if (unread !== undefined) {
    yield finding(
      'unknown',
      'The state of the pool is unknown',
      `${unread}. This says nothing about the sponsors’ coins.`,
      'Bring back the same Redis or coin-pool with its data; the services reconnect by themselves.',
    );
  }
  if (epoch === null) {
    yield finding(
      'unknown',
      'The ledger does not answer',
      'The node, or its provider, is unreachable. The sponsors’ coins are not affected.',
      'Check the node’s provider. Claimed transactions are executed when it answers.',
    );
  }
  const serving = (sponsors ?? []).filter(({ drain }) => drain === null);
  if (sponsors !== null && sponsors.length > 0 && serving.length === 0) {
    yield finding(
      'stopped',
      'Every sponsor is drained',
      'No sponsor gives reservations.',
      'End a drain, or add a sponsor.',
    );
  }
  for (const {
    sponsor_address: address,
    coins,
    suspended_secs: seconds,
    days_left: days,
  } of serving) {
    const { coins: available = 0 } = coins['available'] ?? {};
    if (seconds !== null) {
      yield finding(
        'stopped',
        'A pool is suspended',
        `Redis may have lost writes: ${address} gives no coins for another ${seconds} s.`,
        'Wait. Do not restart Redis before its settings are durable.',
      );
    } else if (available === 0) {
      yield finding(
        'stopped',
        'A pool has no coins to give',
        describeExhausted(address, coins),
        'Send coins to the sponsor, or wait until quarantined coins return.',
      );
    } else if (days !== null && days < DAYS_LEFT_SOON) {
      yield finding(
        'attention',
        'The gas runs out soon',
        `${address} has gas for ${days} days at the rate of the last day.`,
        'Send coins to the sponsor; the pool adopts them by itself.',
      );
    }
  }
  if (queue !== null && queue.failed > 0) {
    yield finding(
      'attention',
      'Jobs have failed',
      `${queue.failed} jobs of the queue have failed.`,
      'The executors’ log names each; the sweep enqueues lost work again.',
    );
  }
  const [pause] = pauses ?? [];
  if (pause) {
    const { scope, reason, by } = pause;
    yield finding(
      'attention',
      'Something is paused',
      `${by} paused ${scope}: “${reason}”`,
      'Resume on the page Pool when the reason is gone.',
    );
  }
  if (problems.length > 0) {
    yield finding(
      'attention',
      'Something cannot be read',
      problems.join('; '),
      'Look at the log of the service that is named.',
    );
  }
}

function describeExhausted(address: string, coins: FleetSponsor['coins']): string {
  const held = ['reserved', 'executing', 'quarantined', 'maintenance']
    .map((state) => [state, coins[state]?.coins ?? 0] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`);
  return held.length === 0
    ? `${address} has no coins.`
    : `All coins of ${address} are bound: ${held.join(', ')}.`;
}

function finding(level: Health['level'], title: string, cause: string, remedy: string): Health {
  return { level, title, cause, remedy };
}
