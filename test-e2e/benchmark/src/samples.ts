import type { LedgerEvent, StoredEventRecord } from '@forecourt/contracts';

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
