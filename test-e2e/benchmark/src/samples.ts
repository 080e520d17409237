import type { LedgerEvent, StoredEventRecord } from '@forecourt/contracts';
import { Transaction } from '@iota/iota-sdk/transactions';

/** The `index`-th address of a large family. */
export function address(index: number): string {
  return `0x${(index + 1).toString(16).padStart(64, '0')}`;
}

const DIGEST = Buffer.alloc(32, 7).toString('base64');
const PACKAGE = address(57_023);

/** Events like those of a busy ledger: most are Move events and new objects. */
export function sampleEvent(index: number, senders: number): LedgerEvent {
  const sender = address(index % senders);
  const origin = { packageId: PACKAGE, transactionModule: 'garage', sender };
  const objectId = address(1_000_000 + index);
  switch (index % 10) {
    case 0:
      return { newObject: { ...origin, recipient: { AddressOwner: sender }, objectId } };
    case 1:
      return {
        transferObject: {
          ...origin,
          recipient: { AddressOwner: sender },
          objectId,
          version: 7,
          type: `${PACKAGE}::garage::Car`,
        },
      };
    case 2:
      return { deleteObject: { ...origin, objectId } };
    case 3:
      return index % 100 === 3
        ? { publish: { sender, packageId: PACKAGE } }
        : { checkpoint: index };
    case 4:
      return index % 100 === 4 ? { epochChange: 1 } : moveEvent(origin, index);
    default:
      return moveEvent(origin, index);
  }
}

export function moveEvent(
  origin: { packageId: string; transactionModule: string; sender: string },
  index: number,
): LedgerEvent {
  const type = `${origin.packageId}::garage::CarDriven`;
  const fields = { car: address(index), driver: origin.sender, distance: String(index % 50) };
  const bcs = Buffer.alloc(72, index % 256).toString('base64');
  return { moveEvent: { ...origin, type, fields, bcs } };
}

export function sampleRecord(
  txSeq: number,
  eventSeq: number,
  event: LedgerEvent,
  timestamp = Date.now(),
): StoredEventRecord {
  return { timestamp, txDigest: DIGEST, id: { txSeq, eventSeq }, event };
}

export const SAMPLE_PACKAGE = PACKAGE;

const COIN_DIGEST = '9knpRtwCc9LK1BCJ222KZwgr9ZVHDyZhiLUTPt82FtmV';

/**
 * Bytes of a typical sponsored transaction: one Move call with arguments, a transfer of its result,
 * one gas coin.
 */
export async function sampleTransaction(): Promise<Uint8Array> {
  const tx = new Transaction();
  tx.setSender('0xa11ce');
  tx.setGasOwner('0x5905');
  tx.setGasPayment([{ objectId: '0x7', version: 3, digest: COIN_DIGEST }]);
  tx.setGasBudget(5_000_000);
  tx.setGasPrice(1_000);
  const car = tx.moveCall({
    target: '0xdec0::garage::build_car',
    arguments: [tx.pure.string('Mini'), tx.pure.u64(200)],
  });
  tx.transferObjects([car], '0xb0b');
  return tx.build();
}
