import type { ExecutedTransaction } from '@forecourt/node-messages';
import { toJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { toBase64, toHex } from '@iota/iota-sdk/utils';
import { encodeBase58 } from '../../base58/index.js';

/** A transaction's Move events in the JSON of nodes. */
export function showEvents({ transaction, events, timestamp }: ExecutedTransaction): object[] {
  const txDigest = transaction?.digest ? encodeBase58(transaction.digest.digest) : '';
  const time = timestamp && {
    timestampMs: String(timestamp.seconds * 1_000n + BigInt(Math.trunc(timestamp.nanos / 1e6))),
  };
  return (events?.events?.events ?? []).map((event, index) => ({
    id: { txDigest, eventSeq: String(index) },
    packageId: address(event.packageId?.objectId),
    transactionModule: event.module,
    sender: address(event.sender?.address),
    type: event.eventType,
    parsedJson: event.jsonContents && toJson(ValueSchema, event.jsonContents),
    bcsEncoding: 'base64',
    bcs: toBase64(event.bcsContents?.data ?? new Uint8Array()),
    ...time,
  }));
}

const address = (bytes: Uint8Array | undefined) => `0x${toHex(bytes ?? new Uint8Array())}`;
