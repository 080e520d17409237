import { describe, expect, it } from '@jest/globals';
import { averageSamples } from './measure-idle.js';

const line = (ID: string, CPUPerc: string, MemUsage = '12.5MiB / 23.5GiB') =>
  JSON.stringify({ ID, CPUPerc, MemUsage });

describe('the usage of idle containers', () => {
  it('is the average of the samples, except those before the first screen and the truncated one', () => {
    const output = [
      `\u001b[2J\u001b[H${line('a', '--', '-- / --')}`,
      line('b', '0.50%'),
      `\u001b[H${line('a', '0.10%')}`,
      `${line('a', '0.30%', '13MiB / 23.5GiB')}\u001b[K`,
      line('b', '9.00%').slice(0, 20),
    ].join('\n');
    const [a, b] = averageSamples(output, ['a', 'b']);
    expect(a).toMatchObject({ id: 'a', memory: '13MiB' });
    expect(a!.percentOfCore).toBeCloseTo(0.2);
    expect(b).toEqual({ id: 'b', memory: '12.5MiB', percentOfCore: 0.5 });
  });

  it('is unknown, instead of zero, for a container without figures', () => {
    expect(() => averageSamples(line('a', '0.10%'), ['a', 'b'])).toThrow(/no figures of b/);
    expect(() => averageSamples(line('a', '--'), ['a'])).toThrow(/no figures of a/);
  });
});
