import type { Sponsorship } from '@forecourt/contracts';
import { type EventStream, openEventStream } from '@forecourt/testing/event-stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { type Application, reserveGas, sponsor } from '../support/application.js';
import { useSystem } from '../support/use-system.js';

const system = useSystem(() => ({ gateways: 2, coinPools: 2, executors: 2, history: 1 }));

const open: EventStream[] = [];
afterEach(() => open.splice(0).forEach((stream) => stream.close()));

async function openStream(
  { url, token }: Application,
  lastEventId?: string,
  query = '?events=sponsorship,refusal',
): Promise<EventStream> {
  const stream = await openEventStream(`${url}/v1/stream${query}`, { token, lastEventId });
  open.push(stream);
  return stream;
}

/** The states of each sponsorship, as the streams showed them. */
function historiesOf(streams: readonly EventStream[]): Map<number, string[]> {
  const shown = streams.flatMap((stream) => stream.of<Sponsorship>('sponsorship'));
  const byId = Map.groupBy(shown, (one) => one.reservation_id);
  const describeChange = ({ status, timeline }: Sponsorship) => `${status} ${timeline.length}`;
  return new Map([...byId].map(([id, changes]) => [id, changes.map(describeChange)]));
}
const WHOLE = ['reserved 1', 'executing 2', 'executing 3', 'executed 5'];

/** Sponsors one after the other until it is stopped; returns the reservations. */
function keepSponsoring(at: () => Application) {
  let isStopped = false;
  const run = async () => {
    const ids: number[] = [];
    while (!isStopped) {
      const { reservation, answer } = await sponsor(at());
      expect(answer.status).toBe(200);
      ids.push(reservation.reservation_id);
    }
    return ids;
  };
  const running = run();
  return async () => {
    isStopped = true;
    return running;
  };
}

describe('a stream', () => {
  it('has each change once while gateways restart and its client goes to the other one', async () => {
    const [one, two] = system.applications as [Application, Application];
    const [first, second] = system.services('gateway');
    let serving = two;
    const streams = [await openStream(one)];
    const last = () => streams.at(-1)!;
    const stop = keepSponsoring(() => serving);
    for (const [gateway, next, sponsors] of [
      [first!, two, two],
      [second!, one, one],
      [first!, two, two],
    ] as const) {
      const { length } = last().events;
      await system.until(async () => last().events.length > length + 8);
      // The load leaves the gateway first: what is in flight there would be cut off.
      serving = sponsors;
      const { length: before } = last().events;
      await system.until(async () => last().events.length > before + 8);
      await gateway.stop();
      await system.until(async () => last().ended !== null);
      expect(last().ended).toBe('in order');
      streams.push(await openStream(next, last().lastId));
      await gateway.start();
    }
    const ids = await stop();
    await system.until(async () => {
      const [lastId] = ids.slice(-1);
      return historiesOf(streams).get(lastId!)?.length === WHOLE.length;
    });
    const seen = historiesOf(streams);
    expect(ids.length).toBeGreaterThan(5);
    for (const id of ids) expect([id, seen.get(id)]).toEqual([id, WHOLE]);
    expect(streams.flatMap((stream) => stream.of('gap'))).toEqual([]);
  });

  it('shows the refused requests of every gateway, with the rights of each service', async () => {
    const [one, two] = system.applications as [Application, Application];
    const stream = await openStream(one);
    // A gateway looks once a second whether somebody listens.
    await system.until(async () => {
      await reserveGas(two, 0);
      return stream.of('refusal').length > 0;
    });
    expect(stream.of('refusal')[0]).toMatchObject({
      route: 'POST /v1/reserve_gas',
      token: 'default',
      code: 'INVALID_REQUEST',
      status: 400,
    });
    const redis = new Redis(system.redisUrl);
    const denied = await redis.acl('LOG');
    redis.disconnect();
    expect(denied).toEqual([]);
  });

  it('says that changes are lost when they had no follower', async () => {
    const [one] = system.applications as [Application];
    const before = await openStream(one);
    const { reservation } = await sponsor(one);
    await system.until(async () => before.events.length >= WHOLE.length);
    before.close();
    const redis = new Redis(system.redisUrl);
    const key = (name: string) => `fc:{${system.sponsor}}:${name}`;
    // As after a minute.
    await system.until(async () => {
      await redis.del(key('followed'), key('changes'));
      const { reservation: missed } = await sponsor(one);
      expect(missed.reservation_id).not.toBe(reservation.reservation_id);
      return (await redis.exists(key('changes'))) === 0;
    });
    redis.disconnect();
    const resumed = await openStream(one, before.lastId);
    await system.until(async () => resumed.of('gap').length > 0);
    const { reservation: next } = await sponsor(one);
    await system.until(async () => historiesOf([resumed]).get(next.reservation_id)?.length === 4);
    expect([...historiesOf([resumed])]).toEqual([[next.reservation_id, WHOLE]]);
  });
});
