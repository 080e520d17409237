import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, ServiceProcess } from '@forecourt/testing/system';
import { sponsor } from '../support/application.js';
import { ForeignNetwork } from '../support/foreign-network.js';
import { NodeRelay } from '../support/node-relay.js';
import { useSystem } from '../support/use-system.js';

const CALLS = 30;
/** The slowest of so many calls took seven seconds and more while a wrong executor took jobs as well. */
const MOST_MS = 4_000;

let relay: NodeRelay;
let foreign: ForeignNetwork;
const system = useSystem();
beforeAll(async () => {
  foreign = await ForeignNetwork.start('json-rpc');
  relay = await NodeRelay.start(system.ledgerUrl);
});
afterAll(async () => {
  relay?.stop();
  await foreign?.stop();
});

const started: ServiceProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.stop()));
});

/** Starts another executor, and waits until its probe answers. */
async function join(settings: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const [first] = system.services('executor');
  const port = String(await freePort());
  const executor = new ServiceProcess({
    app: 'executor',
    url: `http://127.0.0.1:${port}`,
    logFile: first!.options.logFile.replace('executor.log', `executor-at-${port}.log`),
    env: { ...first!.options.env, EXECUTOR_HEALTH_PORT: port, ...settings },
  });
  executor.launch();
  started.push(executor);
  await system.until(async () => (await readiness(executor)) !== '');
  return executor;
}

const readiness = async ({ url }: ServiceProcess) => {
  const answer = await fetch(`${url}/health/ready`).catch(() => null);
  return answer ? `${answer.status} ${await answer.text()}` : '';
};

/** Sponsors transactions one after the other; returns the duration of the slowest one. */
async function slowestCallMs(): Promise<number> {
  let slowest = 0;
  for (let call = 0; call < CALLS; call += 1) {
    const startedAt = performance.now();
    expect((await sponsor(system.application)).answer.status).toBe(200);
    slowest = Math.max(slowest, performance.now() - startedAt);
  }
  return slowest;
}

const otherKey = () => Buffer.concat([Buffer.of(0), randomBytes(32)]).toString('base64');

describe('an executor that cannot carry out jobs', () => {
  it.each([
    [
      'whose node is on another network',
      () => ({ LEDGER_URL: foreign.nodeUrl }),
      'it is on network',
    ],
    ['whose node for reads is', () => ({ LEDGER_READ_URL: foreign.nodeUrl }), 'it is on network'],
    ['without the sponsor’s key', () => ({ SPONSOR_KEYS: otherKey() }), 'No pool is open'],
  ])(
    '%s is not ready, says why, and does not slow down calls',
    async (_which, settings, reason) => {
      const wrong = await join(settings());
      expect(await slowestCallMs()).toBeLessThan(MOST_MS);
      expect(await readiness(wrong)).toMatch(/^503 /);
      expect(await readiness(wrong)).toContain(reason);
      expect(await wrong.log()).toContain(reason);
      expect(await wrong.log()).not.toContain('Execution attempt failed');
    },
  );

  it('leaves the queue when its node changes, and comes back when the node is right', async () => {
    const executor = await join({ LEDGER_URL: relay.url });
    await system.until(async () => (await readiness(executor)).startsWith('200'));
    relay.leadTo(foreign.nodeUrl, 'broken');
    // It may take some jobs until one has failed.
    await system.until(async () => {
      expect((await sponsor(system.application)).answer.status).toBe(200);
      return (await readiness(executor)).startsWith('503');
    });
    expect(await slowestCallMs()).toBeLessThan(MOST_MS);
    relay.leadHome('broken');
    await system.until(async () => (await readiness(executor)).startsWith('200'));
    await system.settledTotals();
    expect(await system.differences()).toEqual([]);
  });
});
