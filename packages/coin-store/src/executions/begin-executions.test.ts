import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from './begin-executions.js';
import { noteUnknown } from './unsettled-executions.js';
import { settleExecutions } from './settle-executions.js';
import { beginNew } from './execution.test-support.js';
import { useTestStore } from '../pool.test-support.js';
import { eventsOf } from '../history/entries.test-support.js';
import {
  anExecution,
  claimedBy,
  onlyEntry,
  settlementOf,
} from '../history/recorded-reservations.test-support.js';
import { listInFlight } from '../reservations/list-in-flight.js';

const store = useTestStore();

describe('an execution that is resumed', () => {
  it('is no longer overdue, so that the sweep leaves it to its executor', async () => {
    const { redis } = store;
    const { sponsor } = await store.aPool(700_000);
    const { job } = await beginNew(redis, sponsor, 'D1');
    const [member] = await redis.zrange(`fc:{${sponsor}}:executing`, '0', '0');
    await redis.zadd(`fc:{${sponsor}}:executing`, 1, String(member));
    const overdue = { state: 'executing', olderThanMs: 30_000, limit: 10 } as const;
    expect((await listInFlight(redis, sponsor, overdue)).listed).toHaveLength(1);
    await only(beginExecutions(redis, sponsor, 'ex-2', [job]));
    expect((await listInFlight(redis, sponsor, overdue)).listed).toEqual([]);
  });

  it.each<[string, string[], string[]]>([
    ['another executor, once', ['ex-2', 'ex-2', 'ex-3'], ['resumed']],
    ['the same executor not', ['ex-1'], []],
  ])('tells history of the resumption by %s', async (_name, executors, expected) => {
    const execution = await anExecution(store);
    const { redis, sponsor, job } = execution;
    for (const executor of executors) {
      await only(beginExecutions(redis, sponsor, executor, [job]));
    }
    const last = executors.at(-1)!;
    await noteUnknown(redis, sponsor, last, job, { epoch: null, submissions: [7] });
    await only(settleExecutions(redis, sponsor, [{ ...settlementOf(execution), submissions: [] }]));
    const { trail } = await onlyEntry(execution);
    expect(eventsOf(trail)).toEqual([...expected, 'submitted', claimedBy('D1'), 'begun']);
  });
});
