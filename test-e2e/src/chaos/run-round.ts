import { setTimeout as delay } from 'node:timers/promises';
import type { KeyServer } from '@forecourt/testing/key-services';
import type { ForeignNetwork } from '../support/foreign-network.js';
import type { NodeRelay } from '../support/node-relay.js';
import type { TestSystem } from '../support/test-system.js';
import type { Gateways } from './call-gateway.js';
import type { ChaosOptions } from './chaos-options.js';
import type { Seldom } from './keep-alive.js';
import { KeptAlive } from './kept-alive.js';
import type { JobThief } from './job-thief.js';
import { mortals, type Plan } from './plan-chaos.js';
import type { OrderingClient } from './ordering-client.js';
import type { RedisFailover } from './redis-failover.js';
import type { Seeded } from '../support/seeded.js';
import { behaviours, type SponsoredCall } from './sponsored-call.js';
import { runClient } from './sponsoring-client.js';
import { takeStep } from './take-step.js';
import type { Tally } from './tally.js';
import { untilAtRest } from './until-at-rest.js';

const LOOK_EVERY_MS = 100;
const SERVED_MS = 8_000;
/**
 * Time after the last step until every planned life must have ended, and the pause between actions that reach
 * rare failpoints.
 */
const LIVES_MS = 300_000;
const HELP_EVERY_MS = 7_000;

/** Objects that all rounds use. */
export interface RoundParts {
  readonly system: TestSystem;
  readonly thief: JobThief;
  /** Between the services and their node. */
  readonly relay: NodeRelay;
  readonly foreign: ForeignNetwork;
  /** Holds the sponsor's key. */
  readonly keys: KeyServer;
  readonly gateways: Gateways;
  readonly tally: Tally;
  /** In front of Redis. */
  readonly failover: RedisFailover;
  /** Orders amounts of another sponsor's funds. */
  readonly operator: OrderingClient;
}

export interface RoundResult {
  readonly calls: readonly SponsoredCall[];
  /**
   * Time from the last kill or fault until all clients had their answers and no coin was held except by
   * unused reservations, which end at their deadlines; null: the pool was not full within the bound.
   */
  readonly recoveryMs: number | null;
  readonly held: string;
}

/** Carries out the plan under load from all clients, then waits until everything is at rest. */
export async function runRound(
  parts: RoundParts,
  plan: Plan,
  seeded: Seeded,
  options: ChaosOptions,
): Promise<RoundResult> {
  const { system, gateways, tally } = parts;
  await system.control.resetBehaviour();
  const [stopping, givenUp, finished] = [1, 2, 3].map(() => new AbortController());
  const seldom: Seldom = new Map(plan.seldom);
  const replicas = mortals.flatMap((app) =>
    system.services(app).map((service, index) => {
      const lives = plan.lives[app][index] ?? [];
      return new KeptAlive(app, service, lives, seldom, tally, stopping!.signal);
    }),
  );
  for (const replica of replicas) replica.supervise(finished!.signal);
  const calls: SponsoredCall[] = [];
  const clientParts = {
    gateways,
    calls,
    ledger: system.ledger,
    control: system.control,
    behaviours: options.behaviours ?? behaviours,
    stopping: stopping!.signal,
    givenUp: givenUp!.signal,
  };
  const clients = Promise.all([
    parts.operator.run(seeded.branch(), stopping!.signal, givenUp!.signal),
    ...Array.from({ length: options.clients }, (_, client) =>
      runClient(clientParts, client, seeded.branch()),
    ),
  ]);
  try {
    for (const { step, pauseMs } of plan.steps) {
      await delay(pauseMs);
      await untilServed(calls);
      await takeStep({ ...parts, replicas }, step);
    }
    await untilLivedThrough({ ...parts, replicas }, seldom);
    stopping!.abort();
    await system.control.clearFaults();
    await system.control.resetBehaviour();
    for (const replica of replicas) {
      if (replica.isArmed && replica.kill()) tally.killed(`${replica.app}, at any moment`);
    }
    const { poolCoins, recoveryBoundMs } = options;
    const deadline = performance.now() + recoveryBoundMs;
    const answered = clients.then(() => performance.now());
    const first = await untilAtRest(system, poolCoins, deadline);
    const late = setTimeout(() => givenUp!.abort(), Math.max(0, deadline - performance.now()));
    const answeredAt = await answered;
    clearTimeout(late);
    // The clients' last requests are at rest as well.
    const last = first.atRest ? await untilAtRest(system, poolCoins, deadline) : first;
    const recovered = last.atRest && !givenUp!.signal.aborted;
    const workedUntil = Math.max(answeredAt, first.workedUntil ?? 0, last.workedUntil ?? 0);
    const recoveryMs = recovered ? workedUntil - tally.lastDisturbance : null;
    await Promise.all(replicas.map((replica) => replica.ready()));
    return { calls, recoveryMs, held: last.held || 'a client has no answer' };
  } finally {
    stopping!.abort();
    givenUp!.abort();
    finished!.abort();
    await Promise.all(replicas.map((replica) => replica.ended()));
  }
}

/** Waits until another client has an answer, or wants none, so that the next step meets a system at work. */
async function untilServed(calls: readonly SponsoredCall[]): Promise<void> {
  const answered = () =>
    calls.filter(({ answers, behaviour }) => answers.length > 0 || behaviour === 'careless').length;
  const before = answered();
  const deadline = performance.now() + SERVED_MS;
  while (answered() === before && performance.now() < deadline) await delay(LOOK_EVERY_MS);
}

/**
 * Waits for a limited time until every process has died at its failpoints; causes the conditions that rare
 * failpoints need.
 */
async function untilLivedThrough(
  parts: Parameters<typeof takeStep>[0],
  seldom: Seldom,
): Promise<void> {
  const deadline = performance.now() + LIVES_MS;
  let helpedAt = performance.now();
  const isOver = () =>
    parts.replicas.every(({ livedThrough }) => livedThrough) &&
    [...seldom.values()].every((left) => left <= 0);
  while (!isOver() && performance.now() < deadline) {
    await delay(LOOK_EVERY_MS);
    if (performance.now() - helpedAt < HELP_EVERY_MS) continue;
    helpedAt = performance.now();
    // The plan's last kind of node may hide conditions: behind an indexer, no refusal is certain.
    await parts.system.control.resetBehaviour();
    await takeStep(parts, { kind: 'end the epoch' });
    if ((seldom.get('coin-pool:before-requeue') ?? 0) > 0) {
      await takeStep(parts, { kind: 'kill in flight', loseJobs: true });
    }
  }
}
