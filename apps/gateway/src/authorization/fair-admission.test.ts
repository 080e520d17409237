import { describe, expect, it } from '@jest/globals';
import { FairAdmission } from './fair-admission.js';

function admitted(admission: FairAdmission, caller: string, times: number): number {
  let count = 0;
  for (let i = 0; i < times; i++) {
    if (admission.admit(caller)) count += 1;
  }
  return count;
}

describe('fair admission', () => {
  it('gives a lone caller the whole capacity, and no more', () => {
    const admission = new FairAdmission({ most: 10 });
    expect(admitted(admission, 'a', 20)).toBe(10);
    expect(admission.total).toBe(10);
  });

  it('limits a caller to its share while capacity is scarce', () => {
    const admission = new FairAdmission({ most: 12 });
    expect(admitted(admission, 'b', 1)).toBe(1);
    expect(admitted(admission, 'a', 20)).toBe(6);
    expect(admitted(admission, 'b', 20)).toBe(5);
    const other = new FairAdmission({ most: 12 });
    expect(admitted(other, 'a', 9)).toBe(9);
    expect(admitted(other, 'b', 20)).toBe(3);
  });

  it('frees capacity when requests end', () => {
    const admission = new FairAdmission({ most: 1 });
    for (let i = 0; i < 3; i++) {
      const done = admission.admit(`caller ${i}`)!;
      expect(admitted(admission, 'other', 1)).toBe(0);
      done();
    }
    expect(admission.total).toBe(0);
  });
});
