import type { ReadChangesMessage } from '@forecourt/contracts';
import { waitUntil } from '@forecourt/testing/system';
import { afterEach, describe, expect, it } from '@jest/globals';
import { callers } from '../history/history-app.test-support.js';
import { ChangeLog } from './change-log.test-support.js';
import { ChangeReader } from './change-reader.js';
import { ResumedReads } from './resumed-reads.js';
import {
  idsOf,
  RECORDS,
  startStreamApp,
  type StreamApp,
  untilHas,
} from './stream-app.test-support.js';

const PER_SECOND = 1;

/** Reads that end when they are ended, and the callers that have begun one. */
function heldReads() {
  const begun: { token: string | null; end: () => void }[] = [];
  const reads = new ResumedReads(
    {
      readAfter: (_after, viewer) =>
        new Promise((resolve) => {
          const end = () => resolve({ steps: [], places: {}, isPart: false });
          begun.push({ token: viewer!.token, end });
        }),
    },
    { resumedReadsPerSecond: PER_SECOND, maxStreams: 500 },
  );
  const read = (name: keyof typeof callers) => {
    const left = new AbortController();
    const client = {
      viewer: { token: callers[name].token, user: null },
      left: left.signal,
      get isOver() {
        return left.signal.aborted;
      },
    };
    return { leave: () => left.abort(), done: reads.readAfter(callers[name], client, {}) };
  };
  return { begun, read };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('reads for resumed streams', () => {
  it('in progress are few, and half of them are left to others', async () => {
    const { begun, read } = heldReads();
    for (let n = 0; n < 8; n++) read('shop');
    read('other');
    await settled();
    expect(begun.map(({ token }) => token)).toEqual(['shop', 'shop', 'other']);
    for (const { end } of begun.slice(1)) end();
    await settled();
    expect(begun.map(({ token }) => token)).toEqual(['shop', 'shop', 'other', 'shop']);
  });

  it('count, whether or not the client waits for them', async () => {
    const { begun, read } = heldReads();
    const most = 10 * PER_SECOND;
    for (let n = 0; n < most; n++) {
      const { leave, done } = read('shop');
      begun.at(-1)!.end();
      leave();
      await done;
    }
    const waiting = read('shop');
    const other = read('other');
    await settled();
    expect(begun).toHaveLength(most + 1);
    expect(begun.at(-1)!.token).toBe('other');
    begun.at(-1)!.end();
    expect(await other.done).not.toBeNull();
    waiting.leave();
    expect(await waiting.done).toBeNull();
    expect(begun).toHaveLength(most + 1);
  });

  it('of one user leave half of its token’s rate to the others', async () => {
    const { begun, read } = heldReads();
    for (let n = 0; n < 9; n++) {
      read('alice');
      begun.at(-1)!.end();
      await settled();
    }
    expect(begun).toHaveLength(5);
    read('bob');
    await settled();
    expect(begun).toHaveLength(6);
  });

  it('do not begin for a client that has left while it waited for a place', async () => {
    const { begun, read } = heldReads();
    read('shop');
    read('shop');
    const gone = read('shop');
    gone.leave();
    begun[0]!.end();
    expect(await gone.done).toBeNull();
    expect(begun).toHaveLength(2);
  });
});

describe('a stream that is resumed and aborted again and again', () => {
  const apps: StreamApp[] = [];
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

  it('reads no more than its caller’s share, and others resume at once', async () => {
    const log = new ChangeLog();
    const app = await startStreamApp(log, { resumedReadsPerSecond: PER_SECOND });
    apps.push(app);
    const viewers: (string | null | undefined)[] = [];
    app.records.readChanges = (message: ReadChangesMessage) => {
      if (message.viewer) viewers.push(message.viewer.token);
      return log.read(message);
    };
    const witness = await app.open('operator', RECORDS);
    const { lastId } = witness;
    for (let n = 1; n <= 300; n++) log.change(n * 64, n % 100 === 0 ? 'other' : 'shop');
    await untilHas(witness, 300);
    for (let n = 0; n < 40; n++) {
      const stream = await app.open('shop', RECORDS, { lastEventId: lastId });
      stream.close();
    }
    const other = await app.open('other', RECORDS, { lastEventId: lastId });
    await untilHas(other, 3);
    expect(idsOf(other)).toEqual([100 * 64, 200 * 64, 300 * 64]);
    // Without a bound, each of them reads at least once.
    expect(viewers.filter((token) => token === 'shop').length).toBeLessThan(40);
    await waitUntil(async () => viewers.includes('other'));
  });
});

describe('ChangeReader', () => {
  it('decodes nothing that the viewer may not see', async () => {
    const decoded: string[] = [];
    const fields = { v: '1', state: 'executed', ended: '5', budget: '5', sum: '7' };
    const change = (id: number, caller: string) => ({
      id: `1700000000000-${id}`,
      pairs: Object.entries({ ...fields, id: String(id * 64), caller, transaction: caller }).flat(),
    });
    const changes = [change(1, 'shop'), change(2, 'other'), change(3, 'other')];
    const stream = { name: '0', sponsor: '0x1', isGap: false, isPart: false };
    const reader = new ChangeReader(
      // As a coin-pool of an earlier version, which sends everything.
      { readChanges: async () => ({ streams: [{ ...stream, changes, place: changes[2]!.id }] }) },
      {
        decodeTransaction: (bytes) => {
          decoded.push(Buffer.from(bytes).toString());
          throw new Error('not decoded here');
        },
      },
      { warn: () => undefined },
    );
    const { places } = await reader.readAfter({}, { token: 'shop', user: null });
    expect(decoded).toHaveLength(1);
    expect(places).toEqual({ '0': '1700000000000-3' });
  });
});
