import { describe, expect, it } from '@jest/globals';
import { LiveQueue } from './live-queue.js';

describe('LiveQueue', () => {
  it('returns the queued items in order and waits for more', async () => {
    const queue = new LiveQueue<number>(10);
    const first = queue.take();
    queue.push(1);
    expect(await first).toEqual({ items: [1], dropped: false });
    queue.push(2);
    queue.push(3);
    expect(await queue.take()).toEqual({ items: [2, 3], dropped: false });
  });

  it('drops items beyond its limit and reports that', async () => {
    const queue = new LiveQueue<number>(3);
    for (const item of [1, 2, 3, 4, 5]) queue.push(item);
    expect(await queue.take()).toEqual({ items: [4, 5], dropped: true });
    queue.push(6);
    expect(await queue.take()).toEqual({ items: [6], dropped: false });
  });

  it('ends or fails after the queued items', async () => {
    const ended = new LiveQueue<number>(3);
    ended.push(1);
    ended.end();
    expect(await ended.take()).toEqual({ items: [1], dropped: false });
    expect(await ended.take()).toBeNull();
    const failed = new LiveQueue<number>(3);
    const waits = failed.take();
    failed.fail(new Error('gone'));
    await expect(waits).rejects.toThrow('gone');
  });
});
