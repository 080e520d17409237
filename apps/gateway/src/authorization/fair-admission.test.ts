import { describe, expect, it } from '@jest/globals';
import { FairAdmission } from './fair-admission.js';

function admitted(admission: FairAdmission, name: string, times: number, token = name): number {
  let count = 0;
  for (let i = 0; i < times; i++) {
    if (admission.admit({ token, name })) count += 1;
  }
  return count;
}

describe('fair admission', () => {
  it('gives a lone caller the whole capacity, and no more', () => {
    const admission = new FairAdmission(10);
    expect(admitted(admission, 'a', 20)).toBe(10);
    expect(admission.total).toBe(10);
  });

  it('limits a caller to its share while capacity is scarce', () => {
    const admission = new FairAdmission(12);
    expect(admitted(admission, 'b', 1)).toBe(1);
    expect(admitted(admission, 'a', 20)).toBe(6);
    expect(admitted(admission, 'b', 20)).toBe(5);
    const other = new FairAdmission(12);
    expect(admitted(other, 'a', 9)).toBe(9);
    expect(admitted(other, 'b', 20)).toBe(3);
  });

  it('gives many users of one token no more than one caller', () => {
    const admission = new FairAdmission(12);
    expect(admitted(admission, 'b', 1)).toBe(1);
    const users = Array.from({ length: 100 }, (_, index) => `a:${index}`);
    const all = users.map((user) => admitted(admission, user, 3, 'a'));
    expect(all.reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(admitted(admission, 'b', 20)).toBe(5);
  });

  it('divides the part of a token among its users', () => {
    const admission = new FairAdmission(12);
    expect(admitted(admission, 'a:1', 1, 'a')).toBe(1);
    expect(admitted(admission, 'a:2', 20, 'a')).toBe(6);
    expect(admitted(admission, 'a:1', 20, 'a')).toBe(5);
  });

  it('frees capacity when requests end', () => {
    const admission = new FairAdmission(1);
    for (let i = 0; i < 3; i++) {
      const name = `caller ${i}`;
      const done = admission.admit({ token: name, name })!;
      expect(admitted(admission, 'other', 1)).toBe(0);
      done();
    }
    expect(admission.total).toBe(0);
  });
});
