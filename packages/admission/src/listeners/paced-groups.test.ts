import { describe, expect, it } from '@jest/globals';
import { PacedGroups } from './paced-groups.js';

/** Groups, and the time that a test sets. */
function paced() {
  const clock = { ms: 0 };
  return { clock, groups: new PacedGroups(() => clock.ms) };
}

describe('connections of a group that sent requests ahead', () => {
  it('are read one after the other, and those of others at once', () => {
    const { clock, groups } = paced();
    expect(groups.take('a')).toBe(0);
    groups.slow('a');
    expect([groups.take('a'), groups.take('a'), groups.take('a')]).toEqual([0, 10, 20]);
    expect(groups.take('b')).toBe(0);
    clock.ms = 25;
    expect(groups.take('a')).toBe(5);
  });

  it('wait for at most three seconds', () => {
    const { groups } = paced();
    groups.slow('a');
    const waits = Array.from({ length: 1_000 }, () => groups.take('a'));
    expect(Math.max(...waits)).toBe(3_000);
  });

  it('are read at once again five seconds after the last such request', () => {
    const { clock, groups } = paced();
    groups.slow('a');
    clock.ms = 4_000;
    groups.slow('a');
    groups.take('a');
    clock.ms = 9_001;
    expect([groups.take('a'), groups.take('a')]).toEqual([0, 0]);
  });

  it('are forgotten, and are bounded in number', () => {
    const { clock, groups } = paced();
    for (let group = 0; group < 20_000; group++) groups.slow(String(group));
    expect(groups.size).toBeLessThanOrEqual(10_000);
    clock.ms = 6_000;
    groups.slow('a');
    expect(groups.size).toBe(1);
  });
});
