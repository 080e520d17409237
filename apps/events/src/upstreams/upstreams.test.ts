import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@forecourt/runtime/service';
import type { EventSource } from './event-source.js';
import { TransactionInconvertible } from './transaction-inconvertible.js';
import { HistoryPruned } from './history-pruned.js';
import { RateLimited } from './rate-limited.js';
import { NodeRefused } from './node-refused.js';
import { UpstreamFailed } from './upstream-failed.js';
import { Upstreams } from './upstreams.js';
import { QueryUnanswerable } from './query-unanswerable.js';

const logger = createLogger('test', 'fatal');

/** Each node answers with its text, or fails. */
function createUpstreams(...answers: (string | Error)[]) {
  const sources = answers.map((_answer, index) => ({ name: `node ${index}` }) as EventSource);
  const upstreams = new Upstreams(sources, logger);
  const query = () =>
    upstreams.query(async (source) => {
      const answer = answers[sources.indexOf(source)]!;
      if (typeof answer !== 'string') throw answer;
      return answer;
    });
  return { upstreams, query };
}

const pruned = (checkpoint: number) => new HistoryPruned({ checkpoint, txSeq: 2 * checkpoint });
const inconvertible = new TransactionInconvertible('D1', 7, 'no objectChanges');

describe('several upstreams', () => {
  it('replace a node that does not respond by the next one', async () => {
    const { upstreams, query } = createUpstreams(new UpstreamFailed('down'), 'b');
    expect(await query()).toBe('b');
    expect(upstreams.current.name).toBe('node 1');
  });

  it.each([pruned(5), inconvertible, new NodeRefused(-32_602, 'no such filter')])(
    'keep a responding node in use, and query another one when it cannot answer: %s',
    async (lack) => {
      const { upstreams, query } = createUpstreams(lack, 'b');
      expect(await query()).toBe('b');
      expect(upstreams.current.name).toBe('node 0');
    },
  );

  it('name the earliest position of all nodes in the error', async () => {
    const { query } = createUpstreams(pruned(9), pruned(5), new UpstreamFailed('down'));
    const failure = query();
    await expect(failure).rejects.toThrow(QueryUnanswerable);
    await expect(failure).rejects.toMatchObject({
      code: -32_000,
      message: expect.stringContaining('checkpoint 5;'),
      data: { earliest: { checkpoint: 5, txSeq: 10 } },
    });
  });

  it('report in the error whether an unavailable node may have the data that others lack', async () => {
    const certain = createUpstreams(pruned(9), pruned(5));
    await expect(certain.query()).rejects.toMatchObject({ isCertain: true });
    const uncertain = createUpstreams(pruned(9), new UpstreamFailed('down'));
    await expect(uncertain.query()).rejects.toMatchObject({ isCertain: false });
  });

  it('name the transaction that no node can show in the error', async () => {
    const { query } = createUpstreams(pruned(9), inconvertible);
    await expect(query()).rejects.toMatchObject({
      code: -32_000,
      message: expect.stringMatching(/Transaction D1 .*no objectChanges/),
      data: { transaction: 'D1' },
    });
  });

  it.each<[Error, RegExp]>([
    [new UpstreamFailed('down'), /unavailable; retry/],
    [new RateLimited(null), /limits the rate/],
    [new NodeRefused(-32_602, 'no such filter'), /refused the query: no such filter/],
  ])('give in the error the reason why no node answers: %s', async (failure, message) => {
    const { query } = createUpstreams(failure);
    await expect(query()).rejects.toMatchObject({ code: -32_000 });
    await expect(query()).rejects.toThrow(message);
  });
});
