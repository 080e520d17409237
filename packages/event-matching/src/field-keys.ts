import { jsonKey, resolvePointer } from './json-value.js';

/** The `jsonKey`s of one event's fields, each computed at most once. */
export class FieldKeys {
  /** Created on first use: most events never need it. */
  #keys: Map<string, string | null> | null = null;

  constructor(private readonly fields: unknown) {}

  /** The key of the value at `path`, null when there is none. `pathKey` is `pathKeyOf(path)`. */
  at(path: readonly string[], pathKey: string): string | null {
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
