import { createPolicyMemory } from './policy-memory.js';
import { REGO_FUNCTIONS } from './rego-functions.js';
import { type WasmMemory, WebAssembly } from './web-assembly.js';

const PAGE = 65_536;
/** Of JSON that a policy hands out: its result, and the arguments of a function. */
const LONGEST_JSON = 2 ** 20;
/** Of what a policy prints in one evaluation, and of the reason for which it ends. */
const LONGEST_TEXT = 1_000;
/**
 * The entrypoints of `opa_eval`, which evaluates in one call, came with this minor version of the interface.
 */
const OLDEST_MINOR_VERSION = 2;

type Numeric = (...args: number[]) => number;

/** Numbers are addresses in the memory of the policy; a text there ends with a zero. */
interface PolicyExports {
  readonly opa_wasm_abi_version?: { readonly value: unknown };
  readonly opa_wasm_abi_minor_version?: { readonly value: unknown };
  readonly builtins: Numeric;
  readonly entrypoints: Numeric;
  readonly opa_malloc: Numeric;
  readonly opa_json_parse: Numeric;
  readonly opa_json_dump: Numeric;
  readonly opa_heap_ptr_get: Numeric;
  readonly opa_eval: Numeric;
}

/**
 * A policy that OPA has compiled to WebAssembly. Its memory, the text that it prints and the JSON that it
 * hands out are bounded.
 */
export class RegoPolicy {
  readonly #memory: WasmMemory;
  #exports!: PolicyExports;
  #functions: ReadonlyMap<number, string> = new Map();
  #entrypoints: ReadonlyMap<string, number> = new Map();
  #data = 0;
  #heap = 0;
  #printed = '';

  private constructor(
    source: Uint8Array,
    private readonly print: (text: string) => void,
  ) {
    this.#memory = createPolicyMemory(source);
  }

  /** `print`: receives what one evaluation prints. Throws `Error` for a module that cannot be used. */
  static async load(source: Buffer, print: (text: string) => void): Promise<RegoPolicy> {
    const policy = new RegoPolicy(source, print);
    await policy.instantiate(source);
    return policy;
  }

  /** The paths of the rules that it evaluates. */
  get rules(): string[] {
    return [...this.#entrypoints.keys()];
  }

  /** Undefined if the rule is. Throws for a policy that fails. */
  evaluate(rule: string, input: unknown): unknown {
    const text = new TextEncoder().encode(JSON.stringify(input));
    const lacking = this.#heap + text.length - this.#memory.buffer.byteLength;
    if (lacking > 0) this.#memory.grow(Math.ceil(lacking / PAGE));
    new Uint8Array(this.#memory.buffer).set(text, this.#heap);
    const { length } = text;
    const place = [this.#entrypoints.get(rule)!, this.#data, this.#heap, length] as const;
    this.#printed = '';
    try {
      const results = this.readJson(this.#exports.opa_eval(0, ...place, this.#heap + length, 0));
      return (results as { readonly result?: unknown }[])[0]?.result;
    } finally {
      if (this.#printed !== '') this.print(this.#printed);
    }
  }

  private async instantiate(source: Buffer): Promise<void> {
    const call = (id: number, _context: number, ...args: number[]) => this.call(id, args);
    const functions = [0, 1, 2, 3, 4].map((count) => [`opa_builtin${count}`, call] as const);
    const { instance } = await WebAssembly.instantiate(source, {
      env: {
        memory: this.#memory,
        opa_abort: (address: number) => {
          throw new Error(this.readText(address, LONGEST_TEXT));
        },
        opa_println: (address: number) => {
          const room = LONGEST_TEXT - this.#printed.length;
          if (room > 1) this.#printed += `${this.readText(address, room - 1)}\n`;
        },
        ...Object.fromEntries(functions),
      },
    });
    const exports = (this.#exports = instance.exports as unknown as PolicyExports);
    const [version, minor] = [exports.opa_wasm_abi_version, exports.opa_wasm_abi_minor_version];
    if (version?.value !== 1 || !(Number(minor?.value) >= OLDEST_MINOR_VERSION)) {
      throw new Error(
        `its interface is not of version 1.${OLDEST_MINOR_VERSION}; compile it with a current OPA`,
      );
    }
    const ids = Object.entries(this.readValue(exports.builtins()) as Record<string, number>);
    this.#functions = new Map(ids.map(([name, id]) => [id, name]));
    this.#data = this.writeJson('{}');
    this.#heap = exports.opa_heap_ptr_get();
    const entrypoints = this.readValue(exports.entrypoints()) as Record<string, number>;
    this.#entrypoints = new Map(Object.entries(entrypoints));
  }

  private call(id: number, addresses: readonly number[]): number {
    const name = this.#functions.get(id);
    const run = REGO_FUNCTIONS.get(name ?? '');
    if (run === undefined) throw new Error(`there is no function ${name ?? id}`);
    const result = run(...addresses.map((address) => this.readValue(address)));
    return result === undefined ? 0 : this.writeJson(result);
  }

  /** A value of the policy. */
  private writeJson(text: string): number {
    const bytes = new TextEncoder().encode(text);
    const { opa_malloc, opa_json_parse } = this.#exports;
    const address = opa_malloc(bytes.length);
    new Uint8Array(this.#memory.buffer).set(bytes, address);
    const value = opa_json_parse(address, bytes.length);
    if (value === 0) throw new Error('the policy cannot read JSON');
    return value;
  }

  private readValue(address: number): unknown {
    return this.readJson(this.#exports.opa_json_dump(address));
  }

  private readJson(address: number): unknown {
    const text = this.readText(address, LONGEST_JSON);
    if (text.length === LONGEST_JSON) throw new Error('the policy hands out too much JSON');
    return JSON.parse(text);
  }

  /** At most `longest` bytes, which may end outside the memory. */
  private readText(address: number, longest: number): string {
    const start = address >>> 0;
    const bytes = new Uint8Array(this.#memory.buffer).subarray(start, start + longest);
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  }
}
