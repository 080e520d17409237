import { describe, expect, it } from '@jest/globals';
import { REGO_FUNCTIONS } from './rego-functions.js';

const run = (name: string, ...args: readonly unknown[]) => {
  const result = REGO_FUNCTIONS.get(name)!(...args);
  return result === undefined ? undefined : (JSON.parse(result) as unknown);
};

describe('sprintf', () => {
  it.each<[string, unknown[], string]>([
    ['%s and %v, 100%%', ['a', { b: 1 }], 'a and {"b":1}, 100%'],
    ['%5d|%-5d|%05d|%+d', [7, 7, -7, 7], '    7|7    |-0007|+7'],
    ['%x %X %o %b %c', [255, 255, 8, 5, 65], 'ff FF 10 101 A'],
    [
      '%.2f %e %g %t %q %.2s',
      [1.005, 1500, 0.5, true, 'x', 'abc'],
      '1.00 1.500000e+3 0.5 true "x" ab',
    ],
  ])('writes %s', (format, values, text) => {
    expect(run('sprintf', format, values)).toBe(text);
  });

  it.each<[string, unknown[]]>([
    ['%999999999d', [1]],
    ['%.999999999f', [1]],
    ['%0999999999s', ['x']],
    ['%d', []],
    ['%d', ['x']],
    ['%z', [1]],
  ])('refuses %s of %j', (format, values) => {
    expect(() => run('sprintf', format, values)).toThrow(/^sprintf: %/);
  });
});

describe('the other functions of Rego', () => {
  it('split by regular expressions in linear time', () => {
    expect(run('regex.split', '[,;]', 'a,b;;c')).toEqual(['a', 'b', '', 'c']);
    const began = performance.now();
    run('regex.split', '(a+)+$', `${'a'.repeat(50_000)}!`);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('read JSON and YAML', () => {
    expect(run('json.is_valid', '{"a":1}')).toBe(true);
    expect(run('json.is_valid', '{')).toBe(false);
    expect(run('json.is_valid', 1)).toBeUndefined();
    expect(run('yaml.is_valid', 'a: [1')).toBe(false);
    expect(run('yaml.is_valid', 'a: [1]')).toBe(true);
    expect(run('yaml.unmarshal', 'a: [1]')).toEqual({ a: [1] });
    expect(run('yaml.marshal', { a: [1] })).toBe('a:\n  - 1\n');
  });

  it.each([
    ['json.is_valid', '['.repeat(100_000), /nested more than 512 levels/],
    ['json.is_valid', `[${'[],'.repeat(30_000)}[]]`, /too many short arrays/],
    ['yaml.is_valid', '- '.repeat(10_000), /more than 4096 characters/],
    ['yaml.unmarshal', 'key: 1\n'.repeat(10_000), /more than 4096 characters/],
  ])('do not read texts that are expensive to parse: %s', (name, text, problem) => {
    expect(() => run(name, text)).toThrow(problem);
  });
});
