import { describe, expect, it, jest } from '@jest/globals';
import { compileModule } from '../../move-bytecode/index.js';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { LedgerUnreachable } from '../../ledger-unreachable.js';
import { decodeTransaction } from '../transactions/decoding/decode-transaction.js';
import { aTransaction } from '../transactions/transaction.test-support.js';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { FunctionSignatures } from './function-signatures.js';
import { type Parameter, readParameters } from './read-module.js';

const full = normalizeIotaAddress;
const SHOP = full('0xdec0de');
const IN_SHOP = `${SHOP}::shop`;
const PARAMETERS = ['&mut 0x2::coin::Coin<T0>', 'u64', 'vector<T0>', '&0x2::tx_context::TxContext'];
const CODE = compileModule({
  package: SHOP,
  name: 'shop',
  types: [{ name: 'Shop' }],
  functions: [
    { name: 'close', parameters: [`${IN_SHOP}::Shop`] },
    { name: 'buy', typeParameters: 1, parameters: PARAMETERS },
  ],
});

/** A node with the functions of the module; `answer` replaces its answers. */
function aNode(answer?: (packageId: string) => readonly Parameter[]) {
  const requests: string[] = [];
  let epoch = 1n;
  const ask = async (id: string, module: string, name: string) => {
    requests.push(`${module}::${name}`);
    if (answer) return answer(id);
    return id === SHOP || id === full('0x2') ? readParameters(CODE, name) : null;
  };
  const signatures = new FunctionSignatures(ask, () => Promise.resolve(epoch));
  const read = async (
    targets: readonly string[],
    isRelevant: (name: string) => boolean = () => true,
  ) => {
    const { bytes } = await aTransaction((tx) => {
      for (const target of targets) {
        const typeArguments = target.endsWith('buy') ? ['u8'] : [];
        const amounts = target.endsWith('buy') ? [tx.pure.u64(5n), tx.pure.vector('u8', [9])] : [];
        tx.moveCall({ target, typeArguments, arguments: [tx.gas, ...amounts] });
      }
    });
    const transaction = decodeTransaction(bytes);
    const argumentsOf = await signatures.readArguments(transaction, (call) =>
      isRelevant(call.function),
    );
    return transaction.moveCalls.map((_, index) => argumentsOf(index));
  };
  const has = (packageId: string, name: string) =>
    signatures.has({ packageId, module: 'shop', function: name });
  return { requests, has, read, startEpoch: () => (epoch += 1n) };
}

describe('the parameters of a function in compiled code', () => {
  it('are read with what is lent for a change, and null of a function that the module only calls or lacks', () => {
    const coin = { package: full('0x2'), module: 'coin', name: 'Coin' };
    const context = { package: full('0x2'), module: 'tx_context', name: 'TxContext' };
    expect(readParameters(CODE, 'buy')).toEqual([
      { type: { ...coin, typeArguments: [{ parameter: 0 }] }, isMutable: true },
      { type: 'u64', isMutable: false },
      { type: { vector: { parameter: 0 } }, isMutable: false },
      { type: { ...context, typeArguments: [] }, isMutable: false },
    ]);
    expect(readParameters(CODE, 'sell')).toBeNull();
  });

  it('end in an error for a module that is cut off anywhere', () => {
    for (let length = 0; length < CODE.length - 1; length++) {
      const read = () => readParameters(CODE.subarray(0, length), 'buy');
      expect(read).toThrow('malformed Move module');
    }
  });
});

describe('a function', () => {
  it('exists by its package and name, and not while its node does not answer', async () => {
    const node = aNode();
    expect([await node.has(SHOP, 'buy'), await node.has(SHOP, 'bye')]).toEqual([true, false]);
    expect(await node.has(full('0xdec0df'), 'buy')).toBe(false);
    const silent = aNode(() => {
      throw new NodeFailure('no answer', { mayBeProcessed: false });
    });
    await expect(silent.has(SHOP, 'buy')).rejects.toThrow(LedgerUnreachable);
  });
});

describe('the arguments of a transaction’s calls', () => {
  it('have the types and values of the function’s signature, which is read once', async () => {
    const { requests, read } = aNode();
    const buy = `${SHOP}::shop::buy`;
    const [call] = await read([buy]);
    expect(call).toEqual([
      { kind: 'gas', type: `${full('0x2')}::coin::Coin<u8>` },
      { kind: 'pure', isLent: false, type: 'u64', value: 5n },
      { kind: 'pure', isLent: false, type: 'vector<u8>', value: Buffer.from([9]) },
    ]);
    await read([buy, buy]);
    expect(requests).toEqual(['shop::buy']);
  });

  it('stay unknown for functions that are not asked for or do not exist, which are remembered for a while', async () => {
    const { requests, read } = aNode();
    const unknown = { kind: 'pure', isLent: true, type: null, value: undefined };
    const isBuy = (name: string) => name === 'buy';
    const missing = `${full('0xbad')}::shop::buy`;
    const [call, other] = await read([missing, `${SHOP}::shop::close`], isBuy);
    expect([call?.[1], other?.[0]]).toEqual([unknown, { kind: 'gas', type: null }]);
    await read([missing]);
    await read([missing, `${SHOP}::shop::none`]);
    expect(requests).toEqual(['shop::buy', 'shop::none']);
    const later = performance.now() + 10_000;
    jest.spyOn(performance, 'now').mockReturnValue(later);
    await read([missing]);
    expect(requests).toEqual(['shop::buy', 'shop::none', 'shop::buy']);
  });

  it('are decoded by the signature of the version that is called', async () => {
    const UPGRADED = full('0xdec0de2');
    const { read } = aNode((id) => [
      { type: { parameter: 0 }, isMutable: false },
      { type: id === UPGRADED ? 'bool' : 'u64', isMutable: false },
      { type: { vector: 'u8' }, isMutable: false },
    ]);
    const values = await read([`${SHOP}::shop::buy`, `${UPGRADED}::shop::buy`]);
    expect(values.map((call) => call[1])).toEqual([
      { kind: 'pure', isLent: false, type: 'u64', value: 5n },
      { kind: 'pure', isLent: false, type: 'bool', value: undefined },
    ]);
  });

  it('are read again in another epoch for a system package, which the ledger changes in place', async () => {
    const { requests, read, startEpoch } = aNode();
    await read(['0x2::shop::close']);
    await read(['0x2::shop::close']);
    startEpoch();
    await read(['0x2::shop::close']);
    expect(requests).toHaveLength(2);
  });

  it('are read of 32 functions at most', async () => {
    const { requests, read } = aNode();
    const calls = await read(Array.from({ length: 40 }, (_, index) => `${SHOP}::shop::f${index}`));
    expect([calls.length, requests.length]).toEqual([40, 32]);
  });

  it.each([
    ['does not respond', () => new NodeFailure('silence', { mayBeProcessed: false })],
    ['refuses for another reason', () => new NodeRefusal('busy', -32050, undefined)],
  ])('are an outage if the node %s', async (_, error) => {
    const { read } = aNode(() => {
      throw error();
    });
    await expect(read([`${SHOP}::shop::buy`])).rejects.toBeInstanceOf(LedgerUnreachable);
  });
});
