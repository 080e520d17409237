import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DelayedSteps } from './delayed-steps.js';

describe('DelayedSteps', () => {
  it('runs each step within the range and none before an earlier one', async () => {
    const steps = new DelayedSteps({ minMs: 5, maxMs: 60 });
    const start = performance.now();
    const ran: { index: number; afterMs: number }[] = [];
    for (let index = 0; index < 40; index += 1) {
      steps.add(() => ran.push({ index, afterMs: performance.now() - start }));
    }
    while (ran.length < 40) await sleep(5);
    expect(ran.map(({ index }) => index)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    expect(ran[0]!.afterMs).toBeGreaterThanOrEqual(5);
  });

  it('runs a dependent step in the same turn as the one before it', async () => {
    const steps = new DelayedSteps({ minMs: 20, maxMs: 20 });
    const ran: string[] = [];
    steps.add(() => {
      ran.push('first');
      queueMicrotask(() => ran.push('next turn'));
    });
    steps.addToLast(() => ran.push('belongs to it'));
    while (ran.length < 3) await sleep(5);
    expect(ran).toEqual(['first', 'belongs to it', 'next turn']);
  });

  it('runs waiting steps sooner when the range becomes smaller, and all when it ends', async () => {
    const steps = new DelayedSteps({ minMs: 60_000, maxMs: 60_000 });
    const ran: number[] = [];
    steps.add(() => ran.push(1));
    steps.range = { minMs: 10, maxMs: 10 };
    while (ran.length < 1) await sleep(5);
    steps.range = { minMs: 60_000, maxMs: 60_000 };
    steps.add(() => ran.push(2));
    steps.add(() => ran.push(3));
    expect(ran).toEqual([1]);
    steps.finish();
    expect(ran).toEqual([1, 2, 3]);
  });
});
