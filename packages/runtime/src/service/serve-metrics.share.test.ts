import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { shareExposition } from './serve-metrics.js';

type Exposition = ReturnType<typeof shareExposition>;

/** Counts how often the metrics are read. */
function count(): { readonly exposition: Exposition; readonly reads: () => number } {
  let reads = 0;
  const exposition = shareExposition({
    async expose() {
      await nextTurn();
      return { contentType: 'text/plain', text: `read ${++reads}\n` };
    },
  });
  return { exposition, reads: () => reads };
}

const textOf = async (exposition: Exposition) => (await exposition()).body.toString();

describe('metrics that many clients ask for', () => {
  it('are read once for all that ask at the same time', async () => {
    const { exposition, reads } = count();
    const texts = await Promise.all(Array.from({ length: 100 }, () => textOf(exposition)));
    expect([new Set(texts), reads()]).toEqual([new Set(['read 1\n']), 1]);
  });

  it('are read anew for a client that asks now and then', async () => {
    const { exposition } = count();
    expect(await textOf(exposition)).toBe('read 1\n');
    expect(await textOf(exposition)).toBe('read 2\n');
  });

  it('are read no more than once a second for those that ask all the time, and later again', async () => {
    const { exposition, reads } = count();
    const begin = performance.now();
    for (let calls = 0; calls < 1_000; calls++) await exposition();
    expect(reads()).toBeLessThanOrEqual(11 + (performance.now() - begin) / 1_000);
    const before = await textOf(exposition);
    while ((await textOf(exposition)) === before) await nextTurn();
  });

  it('are read again after a failure', async () => {
    let reads = 0;
    const exposition = shareExposition({
      async expose() {
        if (++reads === 1) throw new Error('not now');
        return { contentType: 'text/plain', text: 'read\n' };
      },
    });
    await expect(exposition()).rejects.toThrow('not now');
    expect(await textOf(exposition)).toBe('read\n');
  });
});
