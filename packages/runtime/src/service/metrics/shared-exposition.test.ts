import { describe, expect, it } from '@jest/globals';
import { SharedExposition } from './shared-exposition.js';

describe('metrics that many clients ask for', () => {
  it('are read once for all that ask at the same time, and again later', async () => {
    let reads = 0;
    const exposition = new SharedExposition({
      expose: async () => ({ contentType: 'text/plain', text: `read ${++reads}\n` }),
    });
    const answers = await Promise.all(Array.from({ length: 100 }, () => exposition.read()));
    expect(new Set(answers.map(({ body }) => body.toString()))).toEqual(new Set(['read 1\n']));
    while ((await exposition.read()).body.toString() === 'read 1\n') {
      await new Promise((resolve) => setTimeout(resolve));
    }
  });

  it('are read again after a failure', async () => {
    let reads = 0;
    const exposition = new SharedExposition({
      expose: async () => {
        if (++reads === 1) throw new Error('not now');
        return { contentType: 'text/plain', text: 'read\n' };
      },
    });
    await expect(exposition.read()).rejects.toThrow('not now');
    const read = () =>
      exposition.read().then(
        ({ body }) => body.toString(),
        () => null,
      );
    while ((await read()) === null) await new Promise((resolve) => setTimeout(resolve));
  });
});
