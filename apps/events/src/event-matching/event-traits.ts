import { LRUCache } from 'lru-cache';
import {
  canonicalAddress,
  canonicalStructTag,
  type EventKind,
  type LedgerEvent,
  type Owner,
} from '@forecourt/contracts';

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
  /** The tag without type parameters: that of all instantiations of the struct. */
  readonly moveEventStruct: string | null;
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
  // An object's type is not the type of a Move event.
  const moveEventType = kind === 'MoveEvent' ? structTag(attributes.type) : null;
  const hasFields = kind === 'MoveEvent' && attributes.fields !== undefined;
  return {
    kind,
    packageId: address(attributes.packageId),
    module: attributes.transactionModule ?? null,
    sender: address(attributes.sender),
    objectId: address(attributes.objectId),
    recipient: attributes.recipient ?? null,
    moveEventType,
    moveEventStruct: moveEventType && withoutParameters(moveEventType),
    fields: hasFields ? new FieldKeys(attributes.fields) : null,
  };
}

function withoutParameters(tag: string): string {
  const index = tag.indexOf('<');
  return index === -1 ? tag : tag.slice(0, index);
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

/** The `jsonKey`s of one event's fields, each computed at most once. */
class FieldKeys {
  /** Created on first use: most events never need it. */
  #keys: Map<string, string | null> | null = null;

  constructor(private readonly fields: unknown) {}

  /** The key of the value at `path`, or null without a value. `pathKey` is `pathKeyOf(path)`. */
  valueAt(path: readonly string[], pathKey: string): string | null {
    const keys = (this.#keys ??= new Map<string, string | null>());
    let key = keys.get(pathKey);
    if (key === undefined) {
      const value = resolvePointer(this.fields, path);
      key = value === undefined ? null : jsonKey(value);
      keys.set(pathKey, key);
    }
    return key;
  }
}

/** A path as one string. */
export function pathKeyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/**
 * A string that is the same for two JSON values if and only if they are equal. The order of keys does not
 * matter, and an integer equals its decimal string, because JSON carries u64 as a string.
 */
export function jsonKey(value: unknown): string {
  if (typeof value === 'string') return DECIMAL.test(value) ? `n${value}` : JSON.stringify(value);
  if (typeof value === 'number') {
    return Number.isInteger(value) ? `n${value === 0 ? 0 : BigInt(value)}` : `f${value}`;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonKey).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${jsonKey(one)}`).join(',')}}`;
}

const DECIMAL = /^(0|-?[1-9]\d*)$/;
const INDEX = /^(0|[1-9]\d*)$/;

/** The value that a JSON pointer's tokens (RFC 6901) refer to, or undefined. */
function resolvePointer(document: unknown, tokens: readonly string[]): unknown {
  let value = document;
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !INDEX.test(token)) return undefined;
    // Own properties only: prototypes must not be reachable.
    if (!Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}
