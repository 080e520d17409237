import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { system } from '../support/systems/usual-system.js';
import { sponsorAsNodeDies } from './sponsor-as-node-dies.js';
import { TcpRelay } from './tcp-relay.js';

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
  });
  afterAll(async () => {
    // The next test file starts them with their usual node.
    await Promise.all(SERVICES.flatMap((app) => system.services(app).map((one) => one.stop())));
    relay?.die();
  });

  it('cause no failed request if one of them dies under load', async () => {
    await sponsorAsNodeDies(system, relay, { clients: 6, transactions: 60 });
  });
});
