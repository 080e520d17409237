import {
  canonicalAddress,
  canonicalStructTag,
  type EventKind,
  type LedgerEvent,
  type Owner,
} from '@forecourt/contracts';
import { LRUCache } from 'lru-cache';
import { FieldKeys } from './field-keys.js';

/** An event's attributes in canonical form; null where its kind lacks one. */
export interface EventTraits {
  readonly kind: EventKind;
  readonly packageId: string | null;
  /** `transactionModule`. */
  readonly module: string | null;
  readonly sender: string | null;
  readonly objectId: string | null;
  readonly recipient: Owner | null;
  /** The whole struct tag. */
  readonly moveEventType: string | null;
  /** Of a Move event's fields. */
  readonly fields: FieldKeys | null;
}

interface Attributes {
  readonly packageId?: string;
  readonly transactionModule?: string;
  readonly sender?: string;
  readonly objectId?: string;
  readonly recipient?: Owner;
  readonly type?: string;
  readonly fields?: unknown;
}

export function describeEvent(event: LedgerEvent): EventTraits {
  if ('moveEvent' in event) return describe('MoveEvent', event.moveEvent);
  if ('transferObject' in event) return describe('TransferObject', event.transferObject);
  if ('newObject' in event) return describe('NewObject', event.newObject);
  if ('deleteObject' in event) return describe('DeleteObject', event.deleteObject);
  if ('publish' in event) return describe('Publish', event.publish);
  return describe('epochChange' in event ? 'EpochChange' : 'Checkpoint', {});
}

function describe(kind: EventKind, attributes: Attributes): EventTraits {
  const hasFields = kind === 'MoveEvent' && attributes.fields !== undefined;
  return {
    kind,
    packageId: address(attributes.packageId),
    module: attributes.transactionModule ?? null,
    sender: address(attributes.sender),
    objectId: address(attributes.objectId),
    recipient: attributes.recipient ?? null,
    // An object's type is not the type of a Move event.
    moveEventType: kind === 'MoveEvent' ? structTag(attributes.type) : null,
    fields: hasFields ? new FieldKeys(attributes.fields) : null,
  };
}

function address(value: string | undefined): string | null {
  return value === undefined ? null : (canonicalAddress(value) ?? value);
}

/**
 * Most events have one of a few types, and parsing a struct tag costs more than all other work
 * here.
 */
const canonicalTags = new LRUCache<string, string>({ max: 10_000 });

function structTag(type: string | undefined): string | null {
  if (type === undefined) return null;
  let tag = canonicalTags.get(type);
  if (tag === undefined) {
    tag = canonicalStructTag(type) ?? type;
    canonicalTags.set(type, tag);
  }
  return tag;
}
