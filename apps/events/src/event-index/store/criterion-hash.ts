import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Senders, modules and types repeat; about 20 MB. */
const known = new LRUCache<string, string>({ max: 100_000 });

/** 64 bits of a key's hash as a signed integer in decimal. A reader that finds an event by it compares the event with its criterion. */
export function hashKey(key: string): string {
  let found = known.get(key);
  if (found === undefined) {
    found = hash('sha256', key, 'buffer').readBigInt64BE().toString();
    known.set(key, found);
  }
  return found;
}
