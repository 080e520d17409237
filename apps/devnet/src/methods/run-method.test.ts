import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';
import { METHODS } from './method-table.js';
import { UNAVAILABLE } from './run-method.js';

describe('methods of a node that devnet does not serve', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterAll(() => devnet.stop());

  it.each(Object.entries(UNAVAILABLE))('are refused by name: %s', async (topic, names) => {
    for (const name of names) {
      expect((await devnet.rpc(name)).error).toEqual({
        code: -32_601,
        message: `Method not available in devnet: ${name}. devnet has no ${topic}; use a node of a network instead`,
      });
    }
  });

  it('are not among those that it serves', () => {
    const served = new Set(METHODS.map(({ name }) => name));
    expect(
      Object.values(UNAVAILABLE).flatMap((names) => names.filter((name) => served.has(name))),
    ).toEqual([]);
  });

  it('reach a program that uses the SDK as errors that say so', async () => {
    const { client } = devnet;
    await expect(client.getStakes({ owner: '0x1' })).rejects.toThrow(/devnet has no staking/);
    await expect(client.getDynamicFields({ parentId: '0x6' })).rejects.toThrow(
      /devnet has no dynamic fields/,
    );
  });

  it('differ from methods that no node has', async () => {
    for (const name of ['iota_fly', 'constructor', '']) {
      expect((await devnet.rpc(name)).error).toEqual({
        code: -32_601,
        message: 'Method not found',
      });
    }
  });
});
