import { buildSponsored, executeTx, reserved, reserveGas } from '../../../support/application.js';
import type { TestSystem } from '../../../support/test-system.js';

/** A disturbance, and the alerts that it must trigger. */
export interface Drill {
  readonly name: string;
  readonly alerts: readonly string[];
  /** Runs until `signal` is aborted, or ends earlier. */
  disturb(system: TestSystem, signal: AbortSignal): Promise<void>;
  repair(system: TestSystem): Promise<void>;
}

const PLENTY = 10_000_000_000_000n;
const BUDGET = 50_000_000;
/** Units of computation that use most of the budget. */
const UNITS = 40_000;

const executorsAreGone: Drill = {
  name: 'the only executor ends while a transaction is under way',
  alerts: ['ForecourtServiceDown', 'ForecourtServiceMissing', 'ForecourtQueueOld'],
  async disturb(system) {
    const [executor] = system.services('executor');
    executor!.kill('SIGKILL');
    await executor!.exited();
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation);
    await executeTx(system.application, reservation, transaction).catch(() => undefined);
  },
  async repair(system) {
    await system.services('executor')[0]!.start();
  },
};

const redisIsDown: Drill = {
  name: 'Redis is down',
  alerts: ['ForecourtRedisDown'],
  disturb: (system) => system.stopRedis(),
  repair: (system) => system.startRedis(),
};

const nodeIsDown: Drill = {
  name: 'the ledger node is down',
  alerts: ['ForecourtLedgerUnreachable', 'ForecourtEventsUpstreamDown'],
  async disturb(system) {
    await system.control.fault({ kind: 'down', mode: 'reset' });
  },
  repair: (system) => system.control.clearFaults(),
};

const fundsRunOut: Drill = {
  name: 'the sponsor’s funds run out',
  alerts: [
    'ForecourtGasForAWeek',
    'ForecourtGasForADay',
    'ForecourtGasForAnHour',
    'ForecourtPoolLow',
    'ForecourtPoolExhausted',
    'ForecourtRefillShort',
  ],
  async disturb(system, signal) {
    while (!signal.aborted) await spendOnce(system);
  },
  async repair(system) {
    await system.control.mint(system.sponsor, PLENTY);
  },
};

/** The last drill leaves the system as it was, with more funds. */
export const drills: readonly Drill[] = [executorsAreGone, redisIsDown, nodeIsDown, fundsRunOut];

async function spendOnce(system: TestSystem): Promise<void> {
  const { status, body } = await reserveGas(system.application, BUDGET, 10);
  if (status !== 200) return;
  const reservation = body.result!;
  const transaction = await buildSponsored(system.application, reservation, {
    gasBudget: BUDGET,
    build: (tx) => system.demo.burn(tx, UNITS),
  });
  await executeTx(system.application, reservation, transaction);
}
