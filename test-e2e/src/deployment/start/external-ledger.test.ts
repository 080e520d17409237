import { describe, expect, it } from '@jest/globals';
import { TemporaryFolder, useStarted } from '@forecourt/testing/jest';
import { freePort } from '@forecourt/testing/system';
import { IotaClient } from '@iota/iota-sdk/client';
import { startDevnet } from '../../support/start-devnet.js';
import { startOneMore } from '../../support/start-one-more.js';
import { runStart } from './run-start.js';

const START_MS = 150_000;

/** A ledger that `npm start` did not start: it may use only features of every network. */
const network = useStarted(
  async () => {
    const faucetPort = String(await freePort());
    const grpcPort = String(await freePort());
    const devnet = await startOneMore('devnet', (port) => ({
      DEVNET_RPC_PORT: port,
      DEVNET_FAUCET_PORT: faucetPort,
      DEVNET_GRPC_PORT: grpcPort,
      DEVNET_CONTROL_PORT: 'off',
    }));
    const faucetUrl = `http://127.0.0.1:${faucetPort}`;
    return { devnet, faucetUrl, grpcUrl: `grpc://127.0.0.1:${grpcPort}` };
  },
  ({ devnet }) => devnet.stop(),
);

/** A ledger on which the transaction never appears. */
const other = useStarted(startDevnet, (devnet) => devnet.stop());

const start = async (env: NodeJS.ProcessEnv = {}) => {
  const data = new TemporaryFolder();
  try {
    return await runStart({
      LEDGER_URL: network.devnet.url,
      FAUCET_URL: network.faucetUrl,
      FORECOURT_DATA: data.path,
      ...env,
    });
  } finally {
    data.remove();
  }
};

describe('npm start with a configured ledger and faucet', () => {
  it.each([
    ['JSON-RPC', () => network.devnet.url],
    ['gRPC', () => network.grpcUrl],
  ])(
    'sponsors a transaction that makes an object on every network, and shows its event, over %s',
    async (_dialect, urlOf) => {
      const { code, result, said } = await start({ LEDGER_URL: urlOf() });
      expect([code, said]).toEqual([0, expect.stringContaining('live event over the WebSocket')]);
      expect(result).toMatchObject({
        status: 'success',
        senderBalance: '0',
        event: { event: { newObject: { sender: result['sender'] } } },
      });
      const ledger = new IotaClient({ url: network.devnet.url });
      const digest = String(result['digest']);
      const { effects } = await ledger.getTransactionBlock({
        digest,
        options: { showEffects: true },
      });
      expect(effects?.created?.[0]?.owner).toEqual({ AddressOwner: result['sender'] });
    },
    START_MS,
  );

  it(
    'starts again on the same data at once: the Redis that it stopped has lost nothing',
    async () => {
      const data = new TemporaryFolder();
      try {
        for (let times = 0; times < 2; times++) {
          const { code, said } = await start({ FORECOURT_DATA: data.path });
          expect([code, said]).toEqual([0, expect.not.stringContaining('started anew')]);
        }
      } finally {
        data.remove();
      }
    },
    2 * START_MS,
  );

  it(
    'continues without the event if events come from another ledger, and says what to do',
    async () => {
      const { code, result, said } = await start({ EVENTS_UPSTREAMS: other.url });
      expect([code, result['status'], result['event']]).toEqual([0, 'success', null]);
      expect(result['digest']).toEqual(expect.any(String));
      expect(said).toMatch(/WARNING: no event .* within 20 s.*npm run forecourt -- doctor/);
    },
    START_MS,
  );
});
