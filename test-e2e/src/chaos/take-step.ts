import { setTimeout as delay } from 'node:timers/promises';
import type { KeyServer } from '@forecourt/testing/key-services';
import type { NodeBehaviour } from '@forecourt/testing/system';
import type { ForeignNetwork } from '../support/foreign-network.js';
import type { NodeRelay } from '../support/node-relay.js';
import type { TestSystem } from '../support/test-system.js';
import type { Gateways } from './call-gateway.js';
import type { KeptAlive } from './kept-alive.js';
import type { JobThief } from './job-thief.js';
import type { Step } from './plan-chaos.js';
import type { RedisFailover } from './redis-failover.js';
import { stopSponsoring } from './stop-sponsoring.js';
import type { Tally } from './tally.js';

const EXECUTE = 'iota_executeTransactionBlock';
const IN_FLIGHT_MS = 600;
const UNTIL_SUBMITTED_MS = 5_000;

/** The objects that steps act on. */
export interface StepParts {
  readonly system: TestSystem;
  readonly gateways: Gateways;
  readonly thief: JobThief;
  /** Between the services and their node. */
  readonly relay: NodeRelay;
  readonly foreign: ForeignNetwork;
  /** Holds the sponsor's key. */
  readonly keys: KeyServer;
  /** In front of Redis. */
  readonly failover: RedisFailover;
  readonly replicas: readonly KeptAlive[];
  readonly tally: Tally;
}

/** Carries out one step of the plan. */
export async function takeStep(parts: StepParts, step: Step): Promise<void> {
  const { system, thief, relay, foreign, keys, replicas, tally } = parts;
  switch (step.kind) {
    case 'kill': {
      const target = replicas.filter(({ app }) => app === step.app)[step.replica];
      if (target?.kill()) tally.killed(`${step.app}, at any moment`);
      return;
    }
    case 'kill Redis':
      tally.killed('Redis');
      await system.stopRedis();
      await delay(step.downMs);
      await system.startRedis();
      tally.lastDisturbance = performance.now();
      return;
    case 'fail over Redis': {
      const from = Date.now();
      await parts.failover.failOver(system.redisUrl, {
        losing: () => delay(step.lostMs),
        serving: () => delay(step.forMs),
        losingBack: () => delay(step.lostBackMs),
      });
      tally.losses.push({ from, to: Date.now() });
      tally.injected('Redis failed over and back');
      return;
    }
    case 'kill PostgreSQL':
      tally.killed('PostgreSQL');
      system.postgres().kill('SIGKILL');
      await system.postgres().stop();
      await delay(step.downMs);
      await system.postgres().start();
      return;
    case 'kill in flight':
      return killInFlight(parts, step.loseJobs);
    case 'lose a job':
      if (await thief.loseWaiting()) tally.injected('job lost, waiting');
      return;
    case 'end the epoch':
      await system.control.advanceEpoch();
      tally.injected('epoch ended');
      return;
    case 'break connections':
      await system.control.disconnect();
      tally.injected('connections to the node broken');
      return;
    case 'stop sponsoring':
      await stopSponsoring(parts.gateways, system.sponsor, step.by, step.forMs);
      tally.injected(`operator: ${step.by}`);
      return;
    case 'change the node':
      await system.control.behaveLike(step.node);
      tally.injected(`node: ${describeNode(step.node)}`);
      return;
    case 'detour':
      relay.leadTo(foreign.nodeUrl, step.connections);
      await delay(step.forMs);
      relay.leadHome(step.connections);
      tally.injected(`node: of another network, connections ${step.connections}`);
      return;
    case 'key service fault':
      keys.fault = step.fault;
      await delay(step.forMs);
      keys.fault = null;
      tally.injected(`key service: ${step.fault}`);
      tally.lastDisturbance = performance.now();
      return;
    case 'ledger fault': {
      await system.control.fault(step.fault);
      const { kind, how } = nameFault(step.fault);
      tally.injected(`node: ${kind}${how}`);
    }
  }
}

function describeNode(node: Partial<NodeBehaviour>): string {
  const { version, behindIndexer, certificateless, lagMs } = node;
  const locks = certificateless ? 'without certificates' : 'with certificates';
  return `of ${version} ${locks}${behindIndexer ? ', behind an indexer' : ''}, lag ${lagMs} ms`;
}

function nameFault({ kind, when, mode, preset }: Readonly<Record<string, unknown>>) {
  const how = when ?? mode ?? preset;
  return {
    kind: typeof kind === 'string' ? kind : '',
    how: typeof how === 'string' ? ` ${how}` : '',
  };
}

/** Every executor dies after the ledger has executed and before its delayed answer arrives. */
async function killInFlight(
  { system, thief, replicas, tally }: StepParts,
  loseJobs: boolean,
): Promise<void> {
  const { control } = system;
  await control.fault({
    kind: 'latency',
    when: 'after',
    ms: IN_FLIGHT_MS,
    forMs: UNTIL_SUBMITTED_MS,
    method: EXECUTE,
    times: 1,
  });
  const before = await control.requestsOf(EXECUTE);
  const submitted = async () => (await control.requestsOf(EXECUTE)) > before;
  const deadline = performance.now() + UNTIL_SUBMITTED_MS;
  while (!(await submitted()) && performance.now() < deadline) await delay(IN_FLIGHT_MS / 20);
  for (const replica of replicas) {
    if (replica.app === 'executor' && replica.kill()) tally.killed('executor, in flight');
  }
  if (!loseJobs) return;
  const lost = await thief.loseActive();
  for (let job = 0; job < lost; job++) tally.injected('job lost, active');
}
