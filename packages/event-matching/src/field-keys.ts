import { jsonKey, resolvePointer } from './json-value.js';

/** The `jsonKey`s of one event's fields, each made once, whoever asks for it. */
export class FieldKeys {
  /** Made when it is asked first: most events are never asked. */
  #keys: Map<string, string | null> | null = null;

  constructor(private readonly fields: unknown) {}

  /** Of what `path` leads to; null when it leads nowhere. `pathKey` is the path as one text. */
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

/** A path as one text. */
export function pathKeyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
