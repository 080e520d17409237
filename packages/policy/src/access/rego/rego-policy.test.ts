import { describe, expect, it } from '@jest/globals';
import {
  ABORT,
  call,
  importOf,
  leb,
  LONG,
  MEMORY,
  type ModuleParts,
  NO,
  policyModule,
  PRINT,
  put,
  section,
  YES,
} from './policy-module.test-support.js';
import { RegoPolicy } from './rego-policy.js';

const ALLOWS = put(YES);
const OUTSIDE = put(-1);
/** Of 128 MiB, twice what a policy is given. */
const GROW = [...put(2_048), 0x40, 0];
/** YES if the memory did not grow, otherwise NO. */
const ALLOWS_UNLESS_GROWN = [...put(YES), ...put(NO), ...GROW, ...put(-1), 0x46, 0x1b];

async function load(parts: ModuleParts) {
  const printed: string[] = [];
  const policy = await RegoPolicy.load(policyModule(parts), (text) => printed.push(text));
  return { printed, evaluate: (input: unknown = {}) => policy.evaluate('a/b', input) };
}

describe('a compiled policy', () => {
  it('evaluates, whatever its start function did', async () => {
    const { evaluate } = await load({ evaluate: ALLOWS, start: [...GROW, 0x1a] });
    expect(evaluate()).toBe(true);
  });

  it('cannot grow its memory beyond the bound', async () => {
    const { evaluate } = await load({ evaluate: ALLOWS_UNLESS_GROWN });
    expect(evaluate()).toBe(true);
  });

  it('cannot be made to grow beyond the bound by its input', async () => {
    const { evaluate } = await load({ evaluate: ALLOWS });
    expect(() => evaluate('x'.repeat(70 * 2 ** 20))).toThrow(RangeError);
    expect(evaluate()).toBe(true);
  });

  it('keeps the maximum of memory that it declares', async () => {
    const memory = importOf('memory', 2, 1, 2, 3);
    const { evaluate } = await load({ evaluate: ALLOWS, memory });
    expect(() => evaluate('x'.repeat(200_000))).toThrow(RangeError);
  });

  it.each<[string, Partial<ModuleParts>, RegExp]>([
    ['declares a memory', { more: [section(5, 1, 0, 1)] }, /must import env.memory/],
    ['imports two memories', { memory: [...MEMORY, ...MEMORY] }, /./],
    [
      'needs more memory than it is given',
      { memory: importOf('memory', 2, 0, ...leb(20_000)) },
      /needs 20000 pages of memory/,
    ],
    ['has a shared memory', { memory: importOf('memory', 2, 3, 2, 3) }, /shared/],
    ['has a memory of 64 bits', { memory: importOf('memory', 2, 4, 2) }, /64 bits/],
    ['has a table without a maximum', { more: [section(4, 1, 0x70, 0, 1)] }, /references/],
    [
      'has tables that are large together',
      {
        more: [
          section(
            4,
            2,
            ...Array<number[]>(2)
              .fill([0x70, 1, 1, ...leb(40_000)])
              .flat(),
          ),
        ],
      },
      /more than 65536 references/,
    ],
    ['has a table of external objects', { more: [section(4, 1, 0x6f, 1, 1, 2)] }, /references/],
    ['imports a table', { memory: importOf('table', 1, 0x70, 1, 1, 2) }, /imports env\.table/],
    ['declares exceptions', { more: [section(13, 1, 0, 4)] }, /section 13/],
    ['declares arrays', { more: [section(1, 1, 0x5e, 0x7f, 1)] }, /types/],
  ])('is refused if it %s', async (_case, parts, problem) => {
    await expect(load({ evaluate: ALLOWS, ...parts })).rejects.toThrow(problem);
  });

  it('is refused if it is cut off anywhere', async () => {
    const whole = policyModule({ evaluate: ALLOWS });
    const problems = new Set<string>();
    for (let length = 8; length < whole.length; length += 1) {
      const loading = RegoPolicy.load(whole.subarray(0, length), () => undefined);
      problems.add(await loading.then(String, (error: Error) => error.message));
    }
    expect([...problems]).toContain('it is cut off');
    expect([...problems].filter((problem) => /object|undefined|NaN/.test(problem))).toEqual([]);
  });

  it('hands out what it prints in one text of at most a thousand characters', async () => {
    const print = [...put(LONG), ...call(PRINT)];
    const { evaluate, printed } = await load({ evaluate: [...print, ...print, ...ALLOWS] });
    expect([evaluate(), evaluate()]).toEqual([true, true]);
    expect(printed).toEqual(Array(2).fill(expect.stringMatching(/^(one line\n)+/)));
    expect(printed.every(({ length }) => length <= 1_000)).toBe(true);
  });

  it('prints nothing from outside its memory', async () => {
    const { evaluate, printed } = await load({ evaluate: [...OUTSIDE, ...call(PRINT), ...ALLOWS] });
    expect(evaluate()).toBe(true);
    expect(printed.join('').trim()).toBe('');
  });

  it('fails at once if the reason, or the result, is outside its memory', async () => {
    const aborts = await load({ evaluate: [...OUTSIDE, ...call(ABORT), ...ALLOWS] });
    expect(() => aborts.evaluate()).toThrow(Error);
    const { evaluate } = await load({ evaluate: OUTSIDE });
    expect(() => evaluate()).toThrow(SyntaxError);
  });

  it('fails if its result is endless', async () => {
    const fill = [...put(131_072), ...put(0x5b), ...put(1_500_000), 0xfc, 11, 0];
    const { evaluate } = await load({
      evaluate: [...fill, ...put(131_072)],
      memory: importOf('memory', 2, 0, 64),
    });
    expect(() => evaluate()).toThrow(/too much JSON/);
  });
});
