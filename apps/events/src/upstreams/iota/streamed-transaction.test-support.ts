import { bcs } from '@iota/iota-sdk/bcs';
import { base58 } from '@scure/base';

const ADDRESS = `0x${'1'.repeat(64)}`;
const OBJECT = `0x${'7'.repeat(64)}`;
const WRITTEN = `0x${'6'.repeat(64)}`;
const LAMPORT_VERSION = 3;
const NO_DIGEST = base58.encode(new Uint8Array(32));
const GAS = { objectId: OBJECT, version: '1', digest: NO_DIGEST };

/** Of every transaction. */
export const BYTES = bcs.TransactionData.serialize({
  V1: {
    kind: { ProgrammableTransaction: { inputs: [], commands: [] } },
    sender: ADDRESS,
    gasData: { payment: [GAS], owner: ADDRESS, price: 1, budget: 1 },
    expiration: { None: true },
  },
}).toBytes();

/** Of a transaction that deletes an object, and writes another one. */
export function effectsOf(transactionDigest: string): Uint8Array {
  return bcs.TransactionEffects.serialize({
    V1: {
      status: { Success: true },
      executedEpoch: 0,
      gasUsed: {
        computationCost: 1,
        computationCostBurned: 1,
        storageCost: 1,
        storageRebate: 1,
        nonRefundableStorageFee: 1,
      },
      transactionDigest,
      gasObjectIndex: null,
      eventsDigest: null,
      dependencies: [],
      lamportVersion: LAMPORT_VERSION,
      changedObjects: [
        [
          WRITTEN,
          {
            inputState: { Exist: [['2', NO_DIGEST], { AddressOwner: ADDRESS }] },
            outputState: { ObjectWrite: [NO_DIGEST, { AddressOwner: ADDRESS }] },
            idOperation: { None: true },
          },
        ],
        [
          OBJECT,
          {
            inputState: { Exist: [['2', NO_DIGEST], { AddressOwner: ADDRESS }] },
            outputState: { NotExist: true },
            idOperation: { Deleted: true },
          },
        ],
      ],
      unchangedSharedObjects: [],
      auxDataDigest: null,
    },
  }).toBytes();
}

const bytes = (count: number, value: number) => new Uint8Array(count).fill(value);

/**
 * The object that every transaction writes in BCS: a gas coin with its owner, former transaction and deposit.
 */
export const WRITTEN_OBJECT = Buffer.concat([
  Buffer.of(0, 0, 1),
  Buffer.of(LAMPORT_VERSION, 0, 0, 0, 0, 0, 0, 0),
  Buffer.of(40),
  bytes(32, 0x66),
  bytes(8, 0),
  Buffer.of(0),
  bytes(32, 0x11),
  Buffer.of(32),
  bytes(32, 0),
  bytes(8, 0),
]);
