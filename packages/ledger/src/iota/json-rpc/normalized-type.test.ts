import { describe, expect, it } from '@jest/globals';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { createJsonRpcClient } from './create-json-rpc-client.js';

/** The parameters of a function that a node shows like this. */
const read = (...parameters: unknown[]) =>
  createJsonRpcClient(() => Promise.resolve({ parameters })).getParameters('0x2', 'm', 'f');

const coin = (typeArguments: readonly unknown[]) => ({
  address: '0x2',
  module: 'coin',
  name: 'Coin',
  typeArguments,
});

describe('a normalized parameter', () => {
  it('is read with what is lent for a change', async () => {
    const type = { vector: { parameter: 1 } };
    const vector = { Vector: { TypeParameter: 1 } };
    const { address, ...named } = coin(['u8']);
    const ofCoin = { package: normalizeIotaAddress(address), ...named };
    const parameters = await read(
      'U64',
      vector,
      { Reference: vector },
      { MutableReference: vector },
      { MutableReference: { Struct: coin(['U8']) } },
    );
    expect(parameters).toEqual([
      { type: 'u64', isMutable: false },
      { type, isMutable: false },
      { type, isMutable: false },
      { type, isMutable: true },
      { type: ofCoin, isMutable: true },
    ]);
  });

  it.each<[string, unknown]>([
    ['a number', 7],
    ['null', null],
    ['a reference within a type', { Vector: { Reference: 'U8' } }],
    ['a struct without type arguments', { Struct: { ...coin([]), typeArguments: undefined } }],
  ])('is malformed as %s', async (_, parameter) => {
    const malformed = read('U8', parameter);
    await expect(malformed).rejects.toBeInstanceOf(NodeFailure);
    await expect(malformed).rejects.toThrow('result.parameters[1] is not the type of a parameter');
  });
});

describe('a function that a node refuses to show', () => {
  const refused = (code: number, message: string) =>
    createJsonRpcClient(() =>
      Promise.reject(new NodeRefusal(message, code, undefined)),
    ).getParameters('0x2', 'm', 'f');

  it.each([
    [-32_602, 'anything'],
    [-32_000, 'Package object does not exist with ID 0x2'],
    [-32_000, 'No module was found with module name m'],
    [-32_000, 'No function was found with function name f'],
  ])('has no parameters after the error %d, %s', async (code, message) => {
    expect(await refused(code, message)).toBeNull();
  });

  it('is unknown with another error', async () => {
    await expect(refused(-32_050, 'busy')).rejects.toBeInstanceOf(NodeRefusal);
  });
});
