import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sponsor } from '../support/application.js';
import { system } from '../support/systems/usual-system.js';
import { TcpRelay } from './tcp-relay.js';

const CLIENTS = 6;
const TRANSACTIONS = 60;
const SERVICES = ['coin-pool', 'executor', 'gateway'] as const;

let relay: TcpRelay;

describe('several ledger nodes', () => {
  beforeAll(async () => {
    relay = await TcpRelay.start(system.ledgerUrl);
    const env = { LEDGER_URL: `${relay.url},${system.ledgerUrl}` };
    for (const app of SERVICES) {
      for (const service of system.services(app)) {
        await service.stop();
        await service.start(env);
      }
    }
  }, 120_000);
  afterAll(async () => {
    // The next test file starts them with their usual node.
    await Promise.all(SERVICES.flatMap((app) => system.services(app).map((one) => one.stop())));
    relay?.die();
  }, 60_000);

  it('cause no failed request if one of them dies under load', async () => {
    const answers: [number, unknown][] = [];
    let started = 0;
    const client = async () => {
      while (started++ < TRANSACTIONS) {
        const { answer } = await sponsor(system.application);
        answers.push([answer.status, answer.body.effects?.status ?? answer.body.error]);
        if (answers.length === TRANSACTIONS / 3) relay.die();
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    expect(answers).toEqual(Array(TRANSACTIONS).fill([200, { status: 'success' }]));
    const logs = await Promise.all(system.services('executor').map((service) => service.log()));
    expect(logs.join('')).toContain('Ledger node does not respond');
    expect(await system.differences()).toEqual([]);
  }, 120_000);
});
