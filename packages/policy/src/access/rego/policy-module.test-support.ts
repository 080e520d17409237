/** Numbers below 2^31 in LEB128. */
export function leb(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...leb(Math.floor(value / 128))];
}

export function section(id: number, ...content: readonly number[]): number[] {
  return [id, ...leb(content.length), ...content];
}

function wasm(...sections: readonly (readonly number[])[]): Buffer {
  return Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()]);
}

const text = (value: string) => [...leb(value.length), ...Buffer.from(value)];
const list = (items: readonly (readonly number[])[]) => [...leb(items.length), ...items.flat()];

const I32 = 0x7f;
const type = (parameters: number, results: number) => [
  0x60,
  ...list(Array<number[]>(parameters).fill([I32])),
  ...list(Array<number[]>(results).fill([I32])),
];
const TYPES = [type(0, 1), type(1, 1), type(2, 1), type(7, 1), type(1, 0), type(0, 0)];
const [NONE_TO_ONE, ONE_TO_ONE, TWO_TO_ONE, SEVEN_TO_ONE, ONE_TO_NONE, NONE_TO_NONE] = [
  0, 1, 2, 3, 4, 5,
] as const;

export const importOf = (name: string, ...kind: readonly number[]) => [
  ...text('env'),
  ...text(name),
  ...kind,
];
export const MEMORY = importOf('memory', 2, 0, 2);
const FUNCTIONS = ['opa_abort', 'opa_println'];
export const [ABORT, PRINT] = [0, 1] as const;

/** An instruction that puts a number on the stack. */
export const put = (value: number) => {
  const bytes = [];
  for (let left = value; ; left >>= 7) {
    const isLast = left >> 6 === 0 || left >> 6 === -1;
    bytes.push((left & 127) | (isLast ? 0 : 128));
    if (isLast) return [0x41, ...bytes];
  }
};
export const call = (index: number) => [0x10, index];

/** Where the module keeps JSON. */
export const [YES, NO, LONG] = [64, 96, 8_192] as const;
const DATA: readonly (readonly [number, string])[] = [
  [16, '{}\0'],
  [32, '{"a/b":0}\0'],
  [YES, '[{"result":true}]\0'],
  [NO, '[{"result":false}]\0'],
  [LONG, `${'one line\n'.repeat(1_000)}\0`],
];

export interface ModuleParts {
  /** Instructions of `opa_eval`, which leave an address. */
  readonly evaluate: readonly number[];
  /** Instructions of the start function. */
  readonly start?: readonly number[];
  readonly memory?: readonly number[];
  /** After the functions and before the exports. */
  readonly more?: readonly (readonly number[])[];
}

/** A policy in the binary interface of OPA's compiled policies (ABI 1.2), whose one rule is `data.a.b`. */
export function policyModule({
  evaluate,
  start = [],
  memory = MEMORY,
  more = [],
}: ModuleParts): Buffer {
  const local = [0x20, 0];
  const functions: readonly (readonly [string, number, readonly number[]])[] = [
    ['builtins', NONE_TO_ONE, put(16)],
    ['entrypoints', NONE_TO_ONE, put(32)],
    ['opa_heap_ptr_get', NONE_TO_ONE, put(65_536)],
    ['opa_malloc', ONE_TO_ONE, put(4_096)],
    ['opa_json_parse', TWO_TO_ONE, local],
    ['opa_json_dump', ONE_TO_ONE, local],
    ['opa_eval', SEVEN_TO_ONE, evaluate],
    ['start', NONE_TO_NONE, start],
  ];
  const first = FUNCTIONS.length;
  const imports = [memory, ...FUNCTIONS.map((name) => importOf(name, 0, ONE_TO_NONE))];
  const versions = ['opa_wasm_abi_version', 'opa_wasm_abi_minor_version'];
  const globals = [
    [I32, 0, ...put(1), 0x0b],
    [I32, 0, ...put(2), 0x0b],
  ];
  const exported = [
    ...functions.map(([name], index) => [...text(name), 0, first + index]),
    ...versions.map((name, index) => [...text(name), 3, index]),
  ];
  const bodies = functions.map(([, , body]) => [...leb(body.length + 2), 0, ...body, 0x0b]);
  const data = DATA.map(([index, value]) => [0, ...put(index), 0x0b, ...text(value)]);
  return wasm(
    section(1, ...list(TYPES)),
    section(2, ...list(imports)),
    section(3, ...list(functions.map(([, kind]) => [kind]))),
    ...more,
    section(6, ...list(globals)),
    section(7, ...list(exported)),
    section(8, first + functions.length - 1),
    section(10, ...list(bodies)),
    section(11, ...list(data)),
  );
}
