import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';
import { METHODS } from './method-table.js';

interface Example {
  readonly params: Readonly<Record<string, unknown>>;
}

const file = new URL('../../../../test-e2e/testing/src/openrpc/examples.json', import.meta.url);
const { methods } = JSON.parse(readFileSync(file, 'utf8')) as {
  methods: Record<string, Example>;
};
/** The objects of the examples exist on no ledger here. */
const NOT_HERE =
  /could not find|no (function|module) (was )?found|not found|does not exist|under ?(reference gas price|RGP)/i;

describe('requests of the node’s OpenRPC specification', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterAll(() => devnet.stop());

  it('are known for most methods', () => {
    const served = METHODS.filter(({ name }) => methods[name] !== undefined);
    expect(served.length).toBe(Object.keys(methods).length);
    expect(served.length).toBeGreaterThan(20);
  });

  it.each(Object.entries(methods))('accept %s, by position and by name', async (name, example) => {
    const { params } = METHODS.find((method) => method.name === name)!;
    expect(params.slice(0, Object.keys(example.params).length)).toEqual(
      Object.keys(example.params),
    );
    for (const given of [Object.values(example.params), example.params]) {
      const { error } = await devnet.rpc(name, given);
      if (error) expect(error.message).toMatch(NOT_HERE);
    }
  });
});
