import type { EventKind, Owner } from './ledger-event.js';

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
