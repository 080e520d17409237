import { describe, expect, it } from '@jest/globals';
import { SortedIds } from './sorted-ids.js';

/** Ids in an order that is neither sorted nor reversed. */
const shuffled = (count: number) =>
  Array.from({ length: count }, (_, index) => String((index * 7_919) % count).padStart(6, '0'));

describe('SortedIds', () => {
  it('pages through thousands of ids in order, for any order of insertion', () => {
    const ids = new SortedIds();
    const all = shuffled(5_000);
    for (const id of all) ids.add(id);
    for (const id of all) ids.add(id);
    expect(ids.size).toBe(5_000);
    expect([...ids.after(null)]).toEqual(all.toSorted());
    expect([...ids.after('001999')]).toEqual(all.toSorted().slice(2_000));
  });

  it('continues after a cursor that was removed', () => {
    const ids = new SortedIds();
    for (const id of shuffled(3_000)) ids.add(id);
    for (let index = 500; index < 2_500; index++) ids.remove(String(index).padStart(6, '0'));
    ids.remove('absent');
    expect(ids.size).toBe(1_000);
    expect([...ids.after('001000')]).toEqual([...ids.after('000499')]);
    expect([...ids.after('001000')]).toHaveLength(500);
    expect([...ids.after('002999')]).toEqual([]);
  });

  it('is empty again when every id is removed', () => {
    const ids = new SortedIds();
    for (const id of shuffled(2_000)) ids.add(id);
    for (const id of shuffled(2_000)) ids.remove(id);
    expect([ids.size, ...ids.after(undefined)]).toEqual([0]);
    ids.add('again');
    expect([...ids.after(null)]).toEqual(['again']);
  });
});
