import { expect, it } from '@jest/globals';
import { RecentValues } from './recent-values.js';

it('keeps the values that were used last, within its memory', () => {
  const values = new RecentValues<{ readonly memory: number }>(10);
  for (const name of ['a', 'b', 'c']) values.set(name, { memory: 4 });
  expect([values.get('a'), values.get('b') !== undefined]).toEqual([undefined, true]);
  values.set('d', { memory: 5 });
  expect([values.get('b') !== undefined, values.get('c')]).toEqual([true, undefined]);
  values.set('b', { memory: 1 });
  values.set('e', { memory: 4 });
  expect(['b', 'd', 'e'].map((name) => values.get(name)?.memory)).toEqual([1, 5, 4]);
  values.set('huge', { memory: 11 });
  expect(['b', 'd', 'e', 'huge'].map((name) => values.get(name))).toEqual(
    new Array(4).fill(undefined),
  );
  values.set('a', { memory: 10 });
  expect(values.get('a')).toBeDefined();
});
