import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createIotaLedger } from '../create-iota-ledger.js';
import { aReference, aTransaction } from '../transactions/transaction.test-support.js';
import type { Ledger } from '../../ledger.js';
import { GrpcStandIn } from './grpc-stand-in.test-support.js';
import { type ReceivedCall, type Response, StandInNode } from './stand-in-node.test-support.js';

const OURS = 'a1b2c3d4';
const OTHER = 'f00df00d';
const DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const OWNER = `0x${'5'.repeat(64)}`;
const ELSEWHERE = 'it is on network f00df00d, not a1b2c3d4';

const EPOCH = {
  epoch: '900',
  referenceGasPrice: '1000',
  protocolVersion: '20',
  epochStartTimestampMs: '0',
  epochDurationMs: '1000',
  activeValidators: [],
};
/** The answers of a ledger on which nothing exists. */
const STRANGE: Readonly<Record<string, (call: ReceivedCall) => Response>> = {
  iota_getProtocolConfig: () => ({ result: { protocolVersion: '20' } }),
  iotax_getLatestIotaSystemState: () => ({ result: EPOCH }),
  iota_multiGetObjects: ({ params: [ids] }) => ({
    result: (ids as string[]).map((object_id) => ({
      error: { code: 'deleted', object_id, version: '9' },
    })),
  }),
  iotax_getBalance: () => ({ result: { coinObjectCount: 0 } }),
  iotax_getCoins: () => ({ result: { data: [], hasNextPage: false, nextCursor: null } }),
  iota_getTransactionBlock: () => ({
    error: { code: -32602, message: 'Could not find the referenced transaction' },
  }),
  iota_executeTransactionBlock: () => ({
    error: { code: -32002, message: 'Invalid user signature: x' },
  }),
};

/** A node of either dialect whose address leads to the other ledger while its `chain` is another one. */
type Address = Pick<GrpcStandIn, 'chain' | 'onCall' | 'stop' | 'url'> & {
  readonly calls: unknown[];
};

async function jsonRpcAddress(): Promise<Address> {
  const node = await StandInNode.start(async (call) => {
    await address.onCall();
    return STRANGE[call.method]!(call);
  }, OURS);
  const onCall = (): void | Promise<void> => undefined;
  const address = Object.assign(node, { onCall }) as StandInNode & Address;
  return address;
}

const decisions: [string, (ledger: Ledger) => Promise<unknown>][] = [
  ['the epoch', (ledger) => ledger.status(0)],
  ['a transaction', (ledger) => ledger.findTransaction(DIGEST)],
  [
    'the sponsor’s coins',
    async (ledger) => {
      for await (const page of ledger.listGasCoins(OWNER)) return page;
      return null;
    },
  ],
  ['known coins', (ledger) => ledger.readGasCoins(OWNER, [aReference()])],
  ['whether it ever paid for gas', (ledger) => ledger.hasPaidForGas(OWNER)],
  [
    'whether inputs have moved on',
    async (ledger) => ledger.haveInputsMovedOn(await expiring(ledger)),
  ],
  [
    'whether a transaction has expired',
    async (ledger) => ledger.hasExpired(await expiring(ledger)),
  ],
];

async function expiring(ledger: Ledger) {
  const { bytes } = await aTransaction((tx) => {
    tx.transferObjects([tx.objectRef(aReference())], OWNER);
    tx.setExpiration({ Epoch: 5 });
  });
  return ledger.decodeTransaction(bytes);
}

describe.each([
  ['JSON-RPC', jsonRpcAddress],
  ['gRPC', () => GrpcStandIn.start()],
] as const)('an address over %s that leads to another network', (_dialect, start) => {
  let address: Address;
  let ledger: Ledger;
  beforeEach(async () => {
    address = await start();
    const findNetwork = async () => OURS;
    ledger = createIotaLedger({ urls: [address.url], findNetwork, requestTimeoutMs: 2_000 });
    expect(await ledger.chainIdentifier()).toBe(OURS);
  });
  afterEach(() => address.stop());

  it.each(decisions)(
    'is not believed about %s, although its connection is kept',
    async (_, read) => {
      address.chain = OTHER;
      await expect(read(ledger)).rejects.toThrow(ELSEWHERE);
      expect(address.calls).toEqual([]);
    },
  );

  it.each(decisions)('is not believed about %s once it has changed', async (_, read) => {
    address.onCall = () => void (address.chain = OTHER);
    await expect(read(ledger)).rejects.toThrow(ELSEWHERE);
  });

  it.each(decisions)('is not believed about %s before it has returned', async (_, read) => {
    address.chain = OTHER;
    address.onCall = () => void (address.chain = OURS);
    await expect(read(ledger)).rejects.toThrow(ELSEWHERE);
    expect(address.calls).toEqual([]);
  });

  it('does not release the coins of a transaction that it refuses', async () => {
    const submit = () => ledger.submit(Uint8Array.of(1), ['user', 'sponsor']);
    expect(await submit()).toMatchObject({ kind: 'refused' });
    address.onCall = () => void (address.chain = OTHER);
    const message = expect.stringContaining(ELSEWHERE);
    expect(await submit()).toEqual({ kind: 'unknown', message });
  });

  it('refuses no transaction for its inputs, nor in a dry run', async () => {
    const transaction = await expiring(ledger);
    address.onCall = () => void (address.chain = OTHER);
    await expect(ledger.inspectInputs(transaction)).rejects.toThrow(ELSEWHERE);
    await expect(ledger.dryRun(transaction)).rejects.toThrow(ELSEWHERE);
  });

  it('loses every connection at its first foreign answer', async () => {
    const ask = () => ledger.countGasCoins(OWNER);
    // One connection each, where a connection carries one call.
    await Promise.all([ask(), ask(), ask(), ask(), ask()]).catch(() => null);
    address.chain = OTHER;
    await expect(ledger.chainIdentifier()).rejects.toThrow(ELSEWHERE);
    const before = address.calls.length;
    for (let call = 0; call < 5; call++) await expect(ask()).rejects.toThrow(ELSEWHERE);
    expect(address.calls).toHaveLength(before);
  });

  it('is not believed about calls that were open at its first foreign answer', async () => {
    const arrived = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    address.onCall = () => {
      arrived.resolve();
      return answered.promise;
    };
    const open = ledger.countGasCoins(OWNER);
    await arrived.promise;
    address.chain = OTHER;
    await expect(ledger.chainIdentifier()).rejects.toThrow(ELSEWHERE);
    answered.resolve();
    await expect(open).rejects.toThrow();
  });

  it('is used again once it leads to the right one', async () => {
    address.chain = OTHER;
    await expect(ledger.findTransaction(DIGEST)).rejects.toThrow(ELSEWHERE);
    address.chain = OURS;
    expect(await ledger.findTransaction(DIGEST)).toBeNull();
  });
});
