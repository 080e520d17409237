import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { median } from '@forecourt/testing/figures';
import type { ServiceProcess } from '@forecourt/testing/system';
import { readClock, sponsor } from '../support/application.js';
import { postRpc } from '../support/events-client.js';
import { system, user } from '../support/systems/attacked-events-system.js';
import { startEvents } from '../support/start-events.js';
import { postAs, query } from './events-attacker.js';

const ATTACKER = '203.0.113.66';
const HONEST = '198.51.100.1';
const TRANSACTIONS = 80;
const CALLS_PER_REQUEST = 150;
const SPONSORED = 5;
const COMPARISONS = 3;
/** The other client must have its answer within this time. */
const ANSWER_MS = 5_000;
/** Node methods that queries of events use and sponsoring does not. */
const QUERY_METHODS = [
  'iota_getCheckpoint',
  'iota_getCheckpoints',
  'iota_getLatestCheckpointSequenceNumber',
  'iota_multiGetTransactionBlocks',
  'iotax_queryTransactionBlocks',
];

let attacked: ServiceProcess;

/** An events service with empty caches, on the node that sponsoring uses. */
function startAttacked(): Promise<ServiceProcess> {
  return startEvents({
    LEDGER_URL: system.ledgerUrl,
    EVENTS_UPSTREAMS: system.ledgerUrl,
    EVENTS_NODE_CALLS_PER_REQUEST: String(CALLS_PER_REQUEST),
    EVENTS_NODE_CALLS_PER_SECOND_PER_CLIENT: '50',
  });
}

/** A few kilobytes; every query in them asks the node for each of the user's transactions. */
const batch = () =>
  Array.from({ length: 50 }, (_, id) =>
    query(id, { Sender: user.address }, null, 1_000, id % 2 === 0),
  );

async function nodeCalls(): Promise<number> {
  const counts = await Promise.all(
    QUERY_METHODS.map((method) => system.control.requestsOf(method)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Median duration of a sponsored transaction, in milliseconds. */
async function sponsoringMs(): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < SPONSORED; count++) {
    const begin = performance.now();
    expect((await sponsor(system.application)).answer.status).toBe(200);
    times.push(performance.now() - begin);
  }
  return median(times);
}

/** The same while six clients send batches one after the other. Another client still gets its answers. */
async function sponsoringMsUnderAttack(): Promise<number> {
  let attacking = true;
  const attackers = Array.from({ length: 6 }, async (_, index) => {
    while (attacking) await postAs(attacked.url, `203.0.113.${100 + index}`, batch());
  });
  const { digest } = await user.run(readClock);
  const { status, text } = await postAs(
    attacked.url,
    HONEST,
    query(1, { Transaction: digest }),
    AbortSignal.timeout(ANSWER_MS),
  );
  expect([status, text]).toEqual([200, expect.stringContaining('"result"')]);
  const busy = await sponsoringMs();
  attacking = false;
  await Promise.all(attackers);
  return busy;
}

/** The event stream keeps polling in the meantime: a few calls per poll. */
const OWN_CALLS = 60;

describe('queries that need many node calls', () => {
  beforeAll(async () => {
    // Each transaction gets a separate checkpoint.
    for (let count = 0; count < TRANSACTIONS; count++) await user.run(readClock);
    attacked = await startAttacked();
  });
  afterAll(() => attacked?.stop());

  it('fail beyond the limit of node calls per message', async () => {
    const before = await nodeCalls();
    const { text } = await postAs(attacked.url, ATTACKER, batch());
    expect(await nodeCalls()).toBeLessThan(before + CALLS_PER_REQUEST + OWN_CALLS);
    const answers = JSON.parse(text) as { error?: { code: number; message: string } }[];
    const errors = answers.flatMap(({ error }) => (error ? [error] : []));
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) {
      expect(error).toEqual({ code: -32000, message: expect.stringMatching(/150 calls/) });
    }
  });

  it('stop when their client disconnects', async () => {
    const fresh = await startAttacked();
    for (const leaveAfterMs of [30, 60, 90]) {
      const leaving = AbortSignal.timeout(leaveAfterMs);
      await postAs(fresh.url, `203.0.113.${leaveAfterMs}`, batch(), leaving).catch(() => undefined);
    }
    await system.until(async () => {
      const metrics = await (await fetch(fresh.metricsUrl)).text();
      return (
        /^forecourt_events_pending_calls(\{.*\})? 0$/m.test(metrics) &&
        /^forecourt_events_node_calls_waiting(\{.*\})? 0$/m.test(metrics)
      );
    }, 2_000);
    await fresh.stop();
  });

  it('neither starve other clients nor slow down sponsorship', async () => {
    // Tests that run in parallel share the processor and distort single comparisons.
    const factors: number[] = [];
    while (factors.length < COMPARISONS) {
      const quiet = await sponsoringMs();
      factors.push((await sponsoringMsUnderAttack()) / quiet);
    }
    expect(median(factors)).toBeLessThan(3);
  });

  it('get status 429 from the gateway beyond its limits', async () => {
    const statuses = new Map<number, number>();
    const one = query(1, 'All', null, 1);
    await Promise.all(
      Array.from({ length: 200 }, async () => {
        const { status } = await postRpc(system.application.url, one);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
    );
    expect([...statuses.keys()].sort()).toEqual([200, 429]);
    expect((await postRpc(system.application.url, one)).status).toBe(200);
  });
});
