import type { EventFilter, EventPosition, LedgerEvents } from '@forecourt/client';
import { fromBase64, toBase58 } from '@iota/iota-sdk/utils';

const CAR_BUILT = '0xdec0::garage::CarBuilt';

export interface CarBuilt {
  /** Of the transaction, as everywhere else in base58. */
  readonly digest: string;
  /** Object id. */
  readonly car: string;
}

/** Where the ledger's events end now. A subscription from here misses nothing, however late it begins. */
export async function newestEvent(events: LedgerEvents): Promise<EventPosition | undefined> {
  const { data } = await events.readPage('All', { descending: true, pageSize: 1 });
  return data[0]?.id;
}

/**
 * The visitor's cars, as they are built. Throws `LedgerEventsError` when the events cannot be followed any
 * more.
 */
export async function* followCars(
  events: LedgerEvents,
  visitor: string,
  from: EventPosition | undefined,
): AsyncGenerator<CarBuilt> {
  const filter: EventFilter = { And: [{ MoveEventType: CAR_BUILT }, { SenderAddress: visitor }] };
  for await (const { txDigest, event } of events.subscribe(filter, { from })) {
    if (!('moveEvent' in event)) continue;
    const { car } = event.moveEvent.fields as { car: string };
    yield { digest: toBase58(fromBase64(txDigest)), car };
  }
}
