import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestDevnet, type TestDevnet } from './testing/start-test-devnet.test-support.js';

const OWNER = `0x${'5'.repeat(64)}`;

function portsOf({ urls }: TestDevnet) {
  const port = (url: string | null) => new URL(url ?? '').port;
  return {
    DEVNET_RPC_PORT: port(urls.rpc),
    DEVNET_FAUCET_PORT: port(urls.faucet),
    DEVNET_CONTROL_PORT: port(urls.control),
    DEVNET_GRPC_PORT: port(urls.grpc),
  };
}

describe('running devnet', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet({
      DEVNET_SEED: 'a',
      DEVNET_GENESIS_FUNDS: `${OWNER}=18446744073709551615`,
    });
  });
  afterAll(() => devnet.stop());

  it('responds to health probes', async () => {
    for (const path of ['live', 'ready']) {
      const response = await fetch(`${devnet.urls.rpc}/health/${path}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ status: 'ok' });
    }
  });

  it('identifies itself to the SDK', async () => {
    const { client } = devnet;
    expect(await client.getChainIdentifier()).toMatch(/^[0-9a-f]{8}$/);
    expect(await client.getRpcApiVersion()).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await client.getReferenceGasPrice()).toBe(1000n);
    const config = await client.getProtocolConfig();
    expect(config.attributes['max_tx_gas']).toEqual({ u64: '50000000000' });
    const state = await client.getLatestIotaSystemState();
    expect(state).toMatchObject({ epoch: '0', referenceGasPrice: '1000' });
    expect(state.committeeMembers).toHaveLength(1);
    expect(await client.getLatestIotaSystemStateV1()).toMatchObject({
      epoch: '0',
      safeModeComputationRewards: '0',
    });
  });

  it('creates the exact genesis funds', async () => {
    expect(await devnet.client.getBalance({ owner: OWNER })).toEqual({
      coinType: '0x2::iota::IOTA',
      coinObjectCount: 1,
      totalBalance: '18446744073709551615',
    });
  });

  it('serves every method it lists', async () => {
    const { methods } = await devnet.client.call<{ methods: { name: string }[] }>(
      'rpc.discover',
      [],
    );
    expect(methods.length).toBeGreaterThan(25);
    for (const { name } of methods) {
      const { error } = await devnet.rpc(name, []);
      expect([name, error?.code]).not.toEqual([name, -32601]);
      expect([name, error?.code]).not.toEqual([name, -32603]);
    }
  });

  it('responds to protocol errors with their codes', async () => {
    expect(await devnet.rpc('iota_noSuchMethod')).toMatchObject({ error: { code: -32601 } });
    expect(await devnet.rpc('iotax_getCoins', ['bob'])).toMatchObject({
      error: { code: -32602, message: 'Invalid params', data: expect.stringContaining('owner') },
    });
    expect(await devnet.rpc('iotax_getBalance', { owner: OWNER })).toMatchObject({
      result: { coinObjectCount: 1 },
    });
    const post = (body: string) => fetch(devnet.urls.rpc, { method: 'POST', body });
    expect(await (await post('{')).json()).toMatchObject({ error: { code: -32700 } });
    const tooBig = await post(' '.repeat(10_485_761));
    expect(tooBig.status).toBe(413);
    expect(await tooBig.json()).toMatchObject({ error: { code: -32701 } });
  });

  it('allows browser calls from any origin', async () => {
    const preflight = await fetch(devnet.urls.rpc, { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('derives the same chain from the same seed and a different one from another', async () => {
    const twin = await startTestDevnet({
      DEVNET_SEED: 'a',
      DEVNET_GENESIS_FUNDS: `${OWNER}=18446744073709551615`,
    });
    const other = await startTestDevnet({ DEVNET_SEED: 'b' });
    try {
      expect(twin.chainIdentifier).toBe(devnet.chainIdentifier);
      expect(await twin.client.getCoins({ owner: OWNER })).toEqual(
        await devnet.client.getCoins({ owner: OWNER }),
      );
      expect(other.chainIdentifier).not.toBe(devnet.chainIdentifier);
    } finally {
      await Promise.all([twin.stop(), other.stop()]);
    }
  });

  it.each([null, { kind: 'down', mode: 'refuse' }])(
    'releases every port when it stops, also with the fault %j',
    async (fault) => {
      const short = await startTestDevnet();
      await fetch(`${short.urls.rpc}/health/live`);
      if (fault) await short.setFault(fault);
      await short.stop();
      const next = await startTestDevnet(portsOf(short));
      expect(next.urls).toEqual(short.urls);
      await next.stop();
    },
  );
});

describe('devnet with a port in use', () => {
  it.each([
    'DEVNET_RPC_PORT',
    'DEVNET_FAUCET_PORT',
    'DEVNET_CONTROL_PORT',
    'DEVNET_GRPC_PORT',
  ] as const)('fails to start and leaves nothing listening: %s', async (taken) => {
    const first = await startTestDevnet();
    const gone = await startTestDevnet();
    await gone.stop();
    const free = portsOf(gone);
    const start = startTestDevnet({ ...free, [taken]: portsOf(first)[taken] });
    await expect(start).rejects.toThrow('EADDRINUSE');
    const next = await startTestDevnet(free);
    await Promise.all([first.stop(), next.stop()]);
  });
});

describe('endpoints that are switched off', () => {
  it('do not listen', async () => {
    const devnet = await startTestDevnet({
      DEVNET_FAUCET_PORT: 'off',
      DEVNET_CONTROL_PORT: 'off',
      DEVNET_GRPC_PORT: 'off',
    });
    expect(devnet.urls).toMatchObject({ faucet: null, control: null, grpc: null });
    await devnet.stop();
  });
});
