import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type ParsedNode,
} from 'yaml';
import { InvalidFile } from './invalid-file.js';

/** The file that values belong to. */
interface YamlFile {
  readonly document: Document<ParsedNode, true> | Document.Parsed;
  readonly lines: LineCounter;
}

/**
 * One value of a file and its line. A value that is not of the requested kind throws `InvalidFile`. A mapping
 * is read key by key; keys that were not read are refused, since a misspelt key would be ignored.
 */
export class YamlValue {
  readonly #node: Node | null;
  readonly #taken = new Set<string>();

  constructor(
    node: Node | null,
    /** Its name in messages: `sender-address`. */
    readonly name: string,
    private readonly file: YamlFile,
    private readonly lineAbove = 1,
  ) {
    this.#node = isAlias(node) ? (node.resolve(file.document) ?? null) : node;
  }

  get line(): number {
    const offset = this.#node?.range?.[0];
    return offset === undefined ? this.lineAbove : this.file.lines.linePos(offset).line;
  }

  get isMap(): boolean {
    return isMap(this.#node);
  }

  get isList(): boolean {
    return isSeq(this.#node);
  }

  /** Nothing follows the key. */
  get isEmpty(): boolean {
    return this.#node === null || (isScalar(this.#node) && this.#node.value === '');
  }

  /** A scalar's text. */
  text(): string {
    if (!isScalar(this.#node) || this.isEmpty) this.fail('must be one value');
    return String(this.#node.value);
  }

  /** The items of a list; a single value is a list of itself. */
  list(): YamlValue[] {
    if (!isSeq(this.#node)) return [this];
    if (this.#node.items.length === 0) this.fail('must not be an empty list');
    return this.items();
  }

  /** The items of a list, which may be empty. */
  items(): YamlValue[] {
    if (this.isEmpty) return [];
    if (!isSeq(this.#node)) this.fail('must be a list');
    return this.#node.items.map(
      (item) => new YamlValue(item as Node, this.name, this.file, this.line),
    );
  }

  /** This value, which must be a mapping. */
  map(): this {
    this.pairs();
    return this;
  }

  /** The value as plain data. Throws `InvalidFile` for a bad alias inside it. */
  plain(): unknown {
    try {
      return this.#node?.toJS(this.file.document) as unknown;
    } catch (error) {
      // An alias inside is undefined, or expands to too many values.
      return this.fail((error as Error).message);
    }
  }

  /** The text as `read` parses it; an `Error` that it throws becomes an `InvalidFile` about this value. */
  parse<T>(read: (text: string) => T): T {
    const text = this.text();
    try {
      return read(text);
    } catch (error) {
      this.fail((error as Error).message);
    }
  }

  fail(reason: string): never {
    throw new InvalidFile(this.line, `${this.name} ${reason}`);
  }

  /** Null: the file has no such key. */
  take(key: string): YamlValue | null {
    this.#taken.add(key);
    return this.find(key);
  }

  require(key: string): YamlValue {
    const value = this.take(key);
    if (value === null || value.isEmpty) {
      throw new InvalidFile(value?.line ?? this.line, `${this.name} has no ${key}`);
    }
    return value;
  }

  /** Takes every key, with its value. */
  takeAll(): [string, YamlValue][] {
    for (const key of this.keys()) this.#taken.add(key);
    return this.entries();
  }

  /** Every key with its value, without taking it. */
  entries(): [string, YamlValue][] {
    return this.keys().map((key) => [key, this.find(key)!]);
  }

  /** Throws `InvalidFile` for a key that was not taken. `name`: the name of the mapping in messages. */
  refuseOthers(name = this.name): void {
    for (const { key } of this.pairs()) {
      const text = String(isScalar(key) ? key.value : key);
      if (!this.#taken.has(text)) {
        throw new InvalidFile(this.lineOf(key as Node), `${name} has an unknown key: ${text}`);
      }
    }
  }

  private pairs() {
    if (!isMap(this.#node)) this.fail('must be a mapping');
    return this.#node.items;
  }

  private keys(): string[] {
    return this.pairs().map(({ key }) => String(isScalar(key) ? key.value : key));
  }

  private find(key: string): YamlValue | null {
    const pair = this.pairs().find(({ key: one }) => isScalar(one) && one.value === key);
    if (!pair) return null;
    return new YamlValue(pair.value as Node | null, key, this.file, this.lineOf(pair.key as Node));
  }

  private lineOf(node: Node): number {
    return this.file.lines.linePos(node.range?.[0] ?? 0).line || this.line;
  }
}
