import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type DevnetControl,
  devnetControl,
  freePort,
  type ServiceProcess,
} from '@forecourt/testing/system';
import { sponsor } from '../support/application.js';
import { scrape, sumOf } from '../operations/monitoring/scrape.js';
import { startOneMore } from '../support/start-one-more.js';
import { useSystem } from '../support/use-system.js';
import { TcpRelay } from './tcp-relay.js';

const EXECUTE = 'iota_executeTransactionBlock';
const IDENTIFY = 'iota_getChainIdentifier';
const BOUND = 3;
const SERVICES = ['coin-pool', 'executor', 'gateway'] as const;

// The pool gets more coins while some are bound.
const system = useSystem({ env: { POOL_TARGET_COINS: '12', POOL_MIN_COINS: '1' } });
let relay: TcpRelay;
let foreign: ServiceProcess;
let foreignControl: DevnetControl;

const quarantined = async () => Number((await system.totals()).coins.quarantined);
/** Number of attempts of jobs. */
const attempts = async () => {
  const metrics = await scrape(system.services('executor')[0]!.metricsUrl);
  return sumOf(metrics, 'forecourt_execution_attempts_total');
};
const eachService = async (run: (service: ServiceProcess) => Promise<void>) => {
  for (const app of SERVICES) for (const service of system.services(app)) await run(service);
};

describe('a node of another network behind the address of the usual one', () => {
  beforeAll(async () => {
    const control = String(await freePort());
    foreign = await startOneMore('devnet', (port) => ({
      DEVNET_RPC_PORT: port,
      DEVNET_CONTROL_PORT: control,
      DEVNET_FAUCET_PORT: 'off',
    }));
    foreignControl = devnetControl(`http://127.0.0.1:${control}`);
    // Its epoch is far ahead: coins bound until then would stay bound for a long time.
    for (let epochs = 0; epochs < 20; epochs++) await foreignControl.advanceEpoch();
    relay = await TcpRelay.start(system.ledgerUrl);
    await eachService(async (service) => {
      await service.stop();
      await service.start({ LEDGER_URL: relay.url });
    });
  });
  afterAll(async () => {
    relay?.die();
    await foreign?.stop();
  });

  it('causes no lost or bound coin, is named in the log, and services continue when the usual node is back', async () => {
    const { coins } = await system.settledTotals();
    const before = await attempts();
    await system.control.fault({
      kind: 'refuse',
      method: EXECUTE,
      code: -32002,
      message: 'Object is reserved for another transaction',
    });
    const conflicts = Array.from({ length: BOUND }, () => sponsor(system.application));
    await system.until(async () => (await quarantined()) === BOUND);
    await system.until(async () => (await attempts()) === before + BOUND);
    await system.control.advanceEpoch();
    relay.leadTo(foreign.url);
    await system.control.clearFaults();
    // Every quarantine is checked again, because its epoch has ended.
    await system.until(async () => (await attempts()) >= before + 2 * BOUND);
    expect(await quarantined()).toBe(BOUND);
    expect((await sponsor(system.application)).answer.status).toBe(503);
    // Services that start in the meantime do not accept the node either. A coin-pool is ready once it has opened its
    // pools.
    const starting: Promise<void>[] = [];
    await eachService(async (service) => {
      await service.stop();
      starting.push(service.start({ LEDGER_URL: relay.url }));
    });
    const asked = await foreignControl.requestsOf(IDENTIFY);
    await system.until(async () => (await foreignControl.requestsOf(IDENTIFY)) > asked + 5);
    const logs = await Promise.all(
      SERVICES.flatMap((app) => system.services(app).map((service) => service.log())),
    );
    for (const log of logs.slice(0, 2)) expect(log).toContain('it is on network');
    expect(await foreignControl.requestsOf(EXECUTE)).toBe(0);
    expect(await quarantined()).toBe(BOUND);

    relay.leadTo(system.ledgerUrl);
    await Promise.all([...starting, ...conflicts.map((one) => one.catch(() => null))]);
    await system.until(async () => (await quarantined()) === 0);
    expect((await system.settledTotals()).coins).toBeGreaterThanOrEqual(coins);
    expect((await sponsor(system.application)).answer.status).toBe(200);
    expect(await system.differences()).toEqual([]);
  });
});
