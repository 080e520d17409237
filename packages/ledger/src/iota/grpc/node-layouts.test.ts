import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { packageObject } from '../move/package-object.test-support.js';
import { EventNode } from './event-node.test-support.js';

const PACKAGE = `0x${'ab'.repeat(32)}`;

let node: EventNode;
beforeEach(async () => {
  const functions = [{ name: 'buy', parameters: ['u64'] }];
  const published = packageObject({
    id: PACKAGE,
    modules: [{ name: 'shop', types: [{ name: 'Shop' }], functions }],
  });
  node = await new EventNode([[PACKAGE, published]]).start();
});
afterEach(() => node.stop());

const ask = (name: string) => node.client.getParameters(PACKAGE, 'shop', name);
const BUY = [{ type: 'u64', isMutable: false }];

describe('the functions of a package', () => {
  it('share one read if they are asked for at the same time, whether they exist or not', async () => {
    const question = await Promise.allSettled(['buy', 'sell', 'buy'].map((name) => ask(name)));
    expect(question).toEqual([
      { status: 'fulfilled', value: BUY },
      { status: 'fulfilled', value: null },
      { status: 'fulfilled', value: BUY },
    ]);
    expect(node.packageCalls).toEqual([[PACKAGE]]);
  });

  it('are read again afterwards, also after a failed read', async () => {
    node.failure = { code: 14, message: 'away' };
    await expect(ask('buy')).rejects.toThrow('away');
    node.failure = null;
    await ask('buy');
    await ask('buy');
    expect(node.packageCalls).toEqual([[PACKAGE], [PACKAGE]]);
  });
});
