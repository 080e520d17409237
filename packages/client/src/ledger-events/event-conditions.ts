import type { EventKind, Owner } from './event-record.js';

/** The criterion of a query. Addresses and object ids are written `0x…`, with or without leading zeros. */
export type EventCriterion =
  | 'All'
  /** A digest in base64 or base58. */
  | { readonly Transaction: string }
  | { readonly MoveModule: { readonly package: string; readonly module: string } }
  /** `<package>::<module>::<struct>`, with its type parameters. */
  | { readonly MoveEvent: string }
  | { readonly EventType: EventKind }
  | { readonly Sender: string }
  | { readonly Recipient: Owner }
  | { readonly Object: string }
  /** In milliseconds since 1970, both ends included. */
  | { readonly TimeRange: { readonly startTime: number; readonly endTime: number } };

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * The filter of a subscription. Addresses and object ids are written `0x…`, with or without leading zeros.
 */
export type EventFilter =
  | { readonly Package: string }
  | { readonly Module: string }
  /** `<package>::<module>::<struct>`, with its type parameters. */
  | { readonly MoveEventType: string }
  /** `path` is a JSON pointer into the event's fields. Write integers above 2^53 as decimal strings. */
  | { readonly MoveEventField: { readonly path: `/${string}`; readonly value: JsonValue } }
  | { readonly SenderAddress: string }
  | { readonly EventType: EventKind }
  | { readonly ObjectId: string }
  | { readonly And: readonly [EventFilter, EventFilter] }
  | { readonly Or: readonly [EventFilter, EventFilter] }
  | { readonly All: readonly [EventFilter, ...EventFilter[]] }
  | { readonly Any: readonly [EventFilter, ...EventFilter[]] };
