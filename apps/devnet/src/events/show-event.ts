import { toBase64 } from '@iota/iota-sdk/utils';
import type { EventRecord } from '../engine/engine-interface.js';

/** An event as a node shows it; its sequence and time are strings. */
export function showEvent(event: EventRecord): object {
  return {
    id: { txDigest: event.id.txDigest, eventSeq: String(event.id.eventSeq) },
    packageId: event.packageId,
    transactionModule: event.transactionModule,
    sender: event.sender,
    type: event.type,
    parsedJson: event.fields,
    bcsEncoding: 'base64',
    bcs: toBase64(event.bcs),
    timestampMs: String(event.timestampMs),
  };
}
