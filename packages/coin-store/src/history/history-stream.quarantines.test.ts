import { describe, expect, it } from '@jest/globals';
import { quarantineExecution } from '../executions/quarantines.js';
import { useTestStore } from '../pool.test-support.js';
import { quarantineNewsKey, setHistoryBacklog } from './history-stream.js';
import { anExecution } from './recorded-reservations.test-support.js';

const store = useTestStore();

async function newsOf({ redis, sponsor }: Awaited<ReturnType<typeof anExecution>>) {
  const entries = await redis.xrange(quarantineNewsKey(sponsor), '-', '+');
  return entries.map(([, pairs]) => {
    const names = pairs.filter((_, index) => index % 2 === 0);
    return Object.fromEntries(names.map((name, index) => [name, pairs[2 * index + 1]!]));
  });
}

describe('the stream of quarantines', () => {
  it('tells of a quarantine once, with the transaction and what happened to it', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, job } = execution;
    const conflict = { ...job, epoch: 1n, submissions: [5], message: 'locked' };
    await quarantineExecution(redis, sponsor, conflict);
    await quarantineExecution(redis, sponsor, { ...conflict, epoch: 2n });
    const news = await newsOf(execution);
    expect(news).toMatchObject([
      { state: 'quarantined', ended: '', digest: 'D1', transaction: 'tx of D1' },
    ]);
    expect(news[0]!['trail']).toMatch(/\tsubmitted\n\d+\tquarantined\tlocked\n.*\tbegun\n$/s);
  });

  it('is empty while history is off', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, job } = execution;
    await setHistoryBacklog(redis, sponsor, null);
    const conflict = { ...job, epoch: 1n, submissions: [], message: 'locked' };
    await quarantineExecution(redis, sponsor, conflict);
    expect(await newsOf(execution)).toEqual([]);
  });
});
