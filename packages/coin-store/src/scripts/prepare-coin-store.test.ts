import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { fieldsOf } from './run-script.js';
import { prepareCoinStore } from './prepare-coin-store.js';

describe('a prepared connection', () => {
  it('knows each script with the definitions that it uses, each before its use, and no others', () => {
    const redis = new Redis({ lazyConnect: true });
    const scripts = new Map<string, string>();
    redis.defineCommand = (name, { lua }) => void scripts.set(name, lua);
    prepareCoinStore(redis);
    const definitions = (name: string) =>
      [...scripts.get(`coinStore:${name}`)!.matchAll(/^local function (\w+)/gm)].map(([, f]) => f);
    const writing = definitions('release-lead');
    expect([writing.slice(0, 2), writing.slice(-2)]).toEqual([
      ['key', 'noteUndo'],
      ['runUndoably', 'script'],
    ]);
    expect(definitions('read-suspension')).toEqual(['key', 'now']);
    expect(definitions('read-pool-totals').at(-1)).toBe('readCounters');
  });
});

describe('the fields of a reply', () => {
  it('are read by name; an absent one is empty', () => {
    const field = fieldsOf(['digest', 'D1', 'fence', 2]);
    expect([field('digest'), field('fence'), field('rule')]).toEqual(['D1', '2', '']);
  });
});
