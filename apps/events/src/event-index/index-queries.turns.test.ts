import type { CallOrigin } from '@forecourt/json-rpc';
import { describe, expect, it } from '@jest/globals';
import { NodeCalls } from '../upstreams/node-calls.js';
import type { IndexDatabase } from './store/index-database.js';
import { IndexQueries } from './index-queries.js';

const AT_ONCE = 5;
const ATTACKERS = 8;
const QUERIES = 32;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Queries to an index whose statements end when they are ended. */
function heldIndex() {
  const limits = { perClient: 2, rest: { light: 0, heavy: 0 } };
  const calls = new NodeCalls({
    ...limits,
    atOnce: 8,
    perMessage: 100,
    perSecond: 100,
    maxResponseBytes: 1,
    indexReads: { ...limits, atOnce: AT_ONCE },
  });
  const statements: (() => void)[] = [];
  const pool = {
    query: () =>
      new Promise((_resolve, reject) =>
        statements.push(() => reject(new Error('the statement was cancelled'))),
      ),
  };
  const database = { primary: { pool }, replica: null } as unknown as IndexDatabase;
  const queries = new IndexQueries(database, () => null);
  const ask = (client: string, left = new AbortController()) => {
    const session = calls.openSession({ client, signal: left.signal } as CallOrigin, {});
    const request = {
      criterion: { key: 'TimeRange', value: { startTime: 1, endTime: 2 } },
      cursor: null,
      limit: 1_000,
      descending: false,
    } as const;
    let isOver = false;
    const answer = queries
      .getEvents(request, session)
      .catch((error: Error) => error.message)
      .finally(() => (isOver = true));
    return { answer, isOver: () => isOver, leave: () => left.abort() };
  };
  const endOne = async () => {
    statements.shift()!();
    await settled();
  };
  return { ask, queries, statements, endOne };
}

describe('queries of the index', () => {
  it('of many clients leave each other turns, however many each of them sends', async () => {
    const { ask, statements, endOne } = heldIndex();
    for (let n = 0; n < QUERIES; n++) {
      for (let client = 1; client <= ATTACKERS; client++) void ask(`192.0.2.${client}`);
    }
    const honest = ask('198.51.100.1');
    await settled();
    expect(statements).toHaveLength(AT_ONCE);
    let ended = 0;
    while (!honest.isOver() && ended < ATTACKERS * QUERIES) {
      await endOne();
      ended += 1;
    }
    // One turn of each other client, behind those that were in progress.
    expect(ended).toBeLessThanOrEqual(ATTACKERS + AT_ONCE + 1);
  });

  it('of one IPv6 network are those of one client', async () => {
    const { ask, statements } = heldIndex();
    for (let n = 0; n < QUERIES; n++) void ask(`2001:db8:7:${n}::/64`);
    await settled();
    expect(statements).toHaveLength(2);
  });

  it('do not reach the database for a client that has left', async () => {
    const { ask, statements, endOne } = heldIndex();
    void ask('192.0.2.1');
    void ask('192.0.2.1');
    const gone = ask('192.0.2.1');
    gone.leave();
    expect(await gone.answer).toBe('Client disconnected');
    await endOne();
    await endOne();
    expect(statements).toHaveLength(0);
  });
});

describe('subscriptions', () => {
  it('that are opened at once read the ledger of the index once in all', async () => {
    const { queries, statements, endOne } = heldIndex();
    const opened = Array.from({ length: QUERIES }, () => queries.requireSameLedger());
    expect(statements).toHaveLength(1);
    const refused = Promise.allSettled(opened);
    await endOne();
    expect((await refused).map(({ status }) => status)).toEqual(opened.map(() => 'rejected'));
    void queries.requireSameLedger().catch(() => undefined);
    expect(statements).toHaveLength(1);
  });
});
