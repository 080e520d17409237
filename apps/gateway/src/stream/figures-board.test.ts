import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StreamFigures } from '@forecourt/contracts/http';
import type { EventStream } from '@forecourt/testing/event-stream';
import { waitUntil } from '@forecourt/testing/system';
import { ChangeLog } from './change-log.test-support.js';
import { FLEET, startStreamApp, type StreamApp } from './stream-app.test-support.js';

let log: ChangeLog;
let app: StreamApp;
beforeEach(async () => {
  log = new ChangeLog();
  app = await startStreamApp(log);
});
afterEach(() => app.close());

describe('the figures', () => {
  it('come every second, and are those of the viewer', async () => {
    const streams = await Promise.all([app.open('shop'), app.open('bob'), app.open('auditor')]);
    log.change(64, 'shop');
    log.change(128, 'other');
    log.refuse('other', 'NO_COINS');
    const [shop, bob, auditor] = streams;
    await waitUntil(async () => streams.every((one) => one.of('figures').length >= 3));
    const last = (stream: EventStream) => stream.of<StreamFigures>('figures').at(-1)!;
    expect(last(shop).recent).toMatchObject({ sponsored: 1, refused: {} });
    expect(last(bob).recent).toMatchObject({ sponsored: 0, refused: {} });
    expect(last(auditor).recent).toMatchObject({ sponsored: 2, refused: { NO_COINS: 1 } });
    expect([last(shop).fleet, last(bob).fleet]).toEqual([null, null]);
    const { sponsors_read_at: readAt, ...fleet } = last(auditor).fleet!;
    expect(fleet).toEqual(FLEET);
    expect(last(auditor).at - readAt!).toBeLessThan(5_000);
    const times = shop.of<StreamFigures>('figures').map(({ at }) => at);
    expect(times[2]! - times[0]!).toBeGreaterThan(1_500);
    expect(times[2]! - times[0]!).toBeLessThan(5_000);
  });

  it('keep the last values of what cannot be read, with their age', async () => {
    const stream = await app.open('operator', '?events=figures');
    const last = () => stream.of<StreamFigures>('figures').at(-1);
    await waitUntil(async () => (last()?.fleet ?? null) !== null);
    const problems = ['Sponsors are missing: Redis is unreachable'];
    app.fleet.value = {
      ...FLEET,
      sponsors: null,
      queue: null,
      epoch: null,
      pauses: null,
      problems,
    };
    await waitUntil(async () => last()!.fleet!.problems.length === 1);
    expect(last()!.fleet).toMatchObject({ sponsors: [], queue: null, epoch: null, problems });
    const { at, fleet } = last()!;
    expect(at).toBeGreaterThan(fleet!.sponsors_read_at!);
  });

  it('of the fleet are read once for everybody, and for no other roles', async () => {
    const shop = await app.open('shop');
    await waitUntil(async () => shop.of('figures').length >= 2);
    expect(app.fleet.reads).toBe(0);
    const many = await Promise.all(
      ['operator', 'auditor', 'all', 'operator'].map((by) => app.open(by)),
    );
    const before = app.fleet.reads;
    const ticks = many[0]!.of('figures').length;
    await waitUntil(async () => many[0]!.of('figures').length >= ticks + 3);
    expect(app.fleet.reads - before).toBeLessThanOrEqual(5);
  });
});
