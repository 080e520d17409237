import type { EventFilter } from '@forecourt/contracts';
import { compileFilter, type MatchesEvent } from './compile-filter.js';
import { type EventTraits, pathKeyOf } from './event-traits.js';
import { type Anchor, findAnchors } from './find-anchors.js';

/** One subscription. */
interface Entry<T> {
  readonly subscriber: T;
  /** Null when the anchor is the whole filter, so that every event it finds matches. */
  readonly matches: MatchesEvent | null;
  /**
   * Number of the last event that was compared with it: an event can find an entry by several
   * anchors.
   */
  seenAt: number;
}

type Bucket<T> = Set<Entry<T>>;
type Buckets<T> = Map<string, Bucket<T>>;

interface FieldBuckets<T> {
  readonly path: readonly string[];
  readonly byValue: Buckets<T>;
}

/**
 * Indexes the filters of many subscribers by the values they require: an event is compared only with filters
 * that require one of its values.
 */
export class SubscriptionIndex<T> {
  readonly #buckets: Readonly<Record<Exclude<Anchor['key'], 'MoveEventField'>, Buckets<T>>> = {
    ObjectId: new Map(),
    SenderAddress: new Map(),
    MoveEventType: new Map(),
    Package: new Map(),
    Module: new Map(),
    EventType: new Map(),
  };
  readonly #fields = new Map<string, FieldBuckets<T>>();
  #event = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns a function that removes the subscription; calling it more than once has no effect. */
  add(filter: EventFilter, subscriber: T): () => void {
    const anchors = findAnchors(filter);
    const matches = 'filters' in filter ? compileFilter(filter) : null;
    const entry: Entry<T> = { subscriber, matches, seenAt: 0 };
    for (const anchor of anchors) this.place(anchor, entry);
    this.#size += 1;
    let present = true;
    return () => {
      if (!present) return;
      present = false;
      this.#size -= 1;
      for (const anchor of anchors) this.remove(anchor, entry);
    };
  }

  /** Calls `visit` once for every subscriber whose filter matches. `visit` may remove subscriptions. */
  match(event: EventTraits, visit: (subscriber: T) => void): void {
    this.#event += 1;
    const buckets = this.#buckets;
    this.visitMatching(buckets.EventType, event.kind, event, visit);
    this.visitMatching(buckets.SenderAddress, event.sender, event, visit);
    this.visitMatching(buckets.ObjectId, event.objectId, event, visit);
    this.visitMatching(buckets.MoveEventType, event.moveEventType, event, visit);
    if (event.moveEventStruct !== event.moveEventType) {
      this.visitMatching(buckets.MoveEventType, event.moveEventStruct, event, visit);
    }
    this.visitMatching(buckets.Package, event.packageId, event, visit);
    this.visitMatching(buckets.Module, event.module, event, visit);
    if (event.fields === null) return;
    for (const [pathKey, { path, byValue }] of this.#fields) {
      this.visitMatching(byValue, event.fields.valueAt(path, pathKey), event, visit);
    }
  }

  private visitMatching(
    buckets: Buckets<T>,
    value: string | null,
    event: EventTraits,
    visit: (subscriber: T) => void,
  ): void {
    if (value === null || buckets.size === 0) return;
    const bucket = buckets.get(value);
    if (bucket === undefined) return;
    for (const entry of bucket) {
      if (entry.seenAt === this.#event) continue;
      entry.seenAt = this.#event;
      if (entry.matches === null || entry.matches(event)) visit(entry.subscriber);
    }
  }

  private place(anchor: Anchor, entry: Entry<T>): void {
    const buckets = this.getOrCreateBuckets(anchor);
    const bucket = buckets.get(anchor.value);
    if (bucket) bucket.add(entry);
    else buckets.set(anchor.value, new Set([entry]));
  }

  private remove(anchor: Anchor, entry: Entry<T>): void {
    const buckets = this.getOrCreateBuckets(anchor);
    const bucket = buckets.get(anchor.value);
    bucket?.delete(entry);
    if (bucket?.size === 0) buckets.delete(anchor.value);
    if (anchor.key === 'MoveEventField' && buckets.size === 0) {
      this.#fields.delete(pathKeyOf(anchor.path ?? []));
    }
  }

  private getOrCreateBuckets(anchor: Anchor): Buckets<T> {
    if (anchor.key !== 'MoveEventField') return this.#buckets[anchor.key];
    const key = pathKeyOf(anchor.path ?? []);
    let field = this.#fields.get(key);
    if (field === undefined) {
      field = { path: anchor.path ?? [], byValue: new Map() };
      this.#fields.set(key, field);
    }
    return field.byValue;
  }
}
