import { describe, expect, it } from '@jest/globals';
import {
  type RecordedClient,
  recordedClients,
  runRecorded,
} from './public-clients/recorded-clients.js';
import { reserveGas } from '../support/application.js';
import { useSystem } from '../support/use-system.js';

/** Set up for the clients that need most: the largest budget, and versions of coins as text. */
const system = useSystem({
  env: { MAX_GAS_BUDGET: '5000000000', GATEWAY_COMPATIBILITY_COIN_VERSIONS: 'string' },
});

function compatible() {
  const { GATEWAY_COMPATIBILITY_PORT } = system.services('gateway')[0]!.options.env;
  return { ...system.application, url: `http://127.0.0.1:${GATEWAY_COMPATIBILITY_PORT}` };
}

const titled = (clients: readonly RecordedClient[]) =>
  clients.map((client) => [client.name, client] as const);
const working = recordedClients.filter(({ limitation }) => limitation === undefined);
const others = recordedClients.filter(({ limitation }) => limitation !== undefined);

describe('the compatibility port', () => {
  it('names coins as the libraries of the IOTA Trust Framework read them, if so configured', async () => {
    const read = async (station = system.application) => {
      const { body } = await reserveGas(station, 1, 1);
      const { gas_coins } = body.result as unknown as { gas_coins: object[] };
      return gas_coins[0];
    };
    const coin = { objectId: expect.any(String), digest: expect.any(String) };
    expect(await read()).toEqual({ ...coin, version: expect.any(Number) });
    const named = {
      object_id: expect.stringMatching(/^0x/),
      version: expect.stringMatching(/^\d+$/),
    };
    expect(await read(compatible())).toEqual({ ...coin, ...named });
  });

  it.each(titled(working))('sponsors a transaction for the requests of %s', async (_, client) => {
    const digest = await runRecorded(client, compatible());
    await system.control.untilShown();
    const options = { showEffects: true };
    const { effects } = await system.ledger.getTransactionBlock({ digest, options });
    expect(effects!.status).toEqual({ status: 'success' });
  });

  it.each(titled(working))('alone takes the requests of %s', async (_, client) => {
    await expect(runRecorded(client, system.application)).rejects.toThrow('answered');
  });

  it.each(titled(others))('does not serve %s, as is documented', async (_, client) => {
    await expect(runRecorded(client, compatible())).rejects.toThrow('execute answered 400');
  });
});
