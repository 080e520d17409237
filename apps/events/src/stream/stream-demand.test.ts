import { describe, expect, it } from '@jest/globals';
import type { EventId } from '@forecourt/contracts';
import type { EventStream } from './event-stream.js';
import {
  createSource,
  record,
  startIdleStream,
  stopStreamAfterEachTest,
  TIMES,
} from './event-stream.test-support.js';

stopStreamAfterEachTest();

const turn = () => new Promise((resolve) => setImmediate(resolve));
const follows = ({ state }: EventStream) => state.following;

describe('an EventStream without subscriptions', () => {
  /** A ledger whose events appear while the test runs. */
  function createLedger() {
    const state = { events: [9], isDown: false };
    const ledger = createSource('a', () => ({ records: [] }));
    async function* follow(from: EventId, signal: AbortSignal) {
      ledger.connections += 1;
      for (let next = from.txSeq; !signal.aborted; await turn()) {
        const fresh = state.events.filter((each) => each >= next);
        yield fresh.map(record);
        next = (fresh.at(-1) ?? next - 1) + 1;
      }
    }
    const newest = async () => {
      if (state.isDown) throw new Error('down');
      return record(state.events.at(-1)!);
    };
    return { ledger: Object.assign(ledger, { newest, follow }), state };
  }

  it('reads no events, is ready, and knows the newest event', async () => {
    const { ledger, state } = createLedger();
    const { stream } = startIdleStream(ledger);
    while (!stream.state.hasBegun) await turn();
    state.events.push(10, 11);
    while (stream.last?.txSeq !== 11) await turn();
    expect(ledger.connections).toBe(0);
    expect(stream.state).toMatchObject({ connected: true, following: false, failure: null });
    expect(stream.recent?.since({ txSeq: 12, eventSeq: 0 })).toEqual([]);
    expect(stream.recent?.since({ txSeq: 11, eventSeq: 0 })).toBeNull();
  });

  it('notices an upstream that is down, and one that is back', async () => {
    const { ledger, state } = createLedger();
    const { stream } = startIdleStream(ledger);
    while (!stream.state.connected) await turn();
    state.isDown = true;
    while (stream.state.connected) await turn();
    expect(stream.state).toMatchObject({ hasBegun: true, failure: 'down' });
    state.isDown = false;
    while (!stream.state.connected) await turn();
  });

  it('delivers to the first subscription every event after it, and none before', async () => {
    const { ledger, state } = createLedger();
    const { stream, delivered, until } = startIdleStream(ledger);
    while (!stream.state.hasBegun) await turn();
    state.events.push(10);
    await stream.demand.raise();
    // The source has not been followed yet: this event is between the subscription and the start.
    state.events.push(11);
    await until(() => delivered.length > 0);
    expect(delivered).toEqual([11]);
  });

  it('keeps its position for a subscription while its upstream does not respond', async () => {
    const { ledger, state } = createLedger();
    const { stream, delivered, until } = startIdleStream(ledger);
    while (!stream.state.hasBegun) await turn();
    state.isDown = true;
    await stream.demand.raise();
    stream.demand.hold();
    state.events.push(10, 11);
    state.isDown = false;
    await until(() => delivered.length === 2);
    expect(delivered).toEqual([10, 11]);
  });

  it('moves to no older event of an upstream that lags behind', async () => {
    const { ledger, state } = createLedger();
    state.events.push(10, 11);
    const { stream } = startIdleStream(ledger);
    while (!stream.state.hasBegun) await turn();
    state.events = [9];
    await stream.demand.raise();
    expect(stream.last).toEqual({ txSeq: 11, eventSeq: 0 });
  });

  it('ends following some time after the last subscription, and starts at the newest event again', async () => {
    const { ledger, state } = createLedger();
    const { stream, delivered, until } = startIdleStream(ledger);
    await stream.demand.raise();
    stream.demand.hold();
    state.events.push(10);
    await until(() => delivered.length === 1);
    stream.demand.release();
    while (follows(stream)) await turn();
    state.events.push(11);
    while (stream.last?.txSeq !== 11) await turn();
    await stream.demand.raise();
    state.events.push(12);
    await until(() => delivered.length === 2);
    expect([delivered, ledger.connections]).toEqual([[10, 12], 2]);
  });

  it('continues to follow as long as a subscription needs it', async () => {
    const { stream } = startIdleStream(createLedger().ledger);
    await stream.demand.raise();
    stream.demand.hold();
    stream.demand.hold();
    stream.demand.release();
    const end = performance.now() + 3 * TIMES.lingerMs;
    while (performance.now() < end) await turn();
    expect(follows(stream)).toBe(true);
  });
});
