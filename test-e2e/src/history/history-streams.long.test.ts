import {
  announceHistory,
  countDroppedEntries,
  historyStreamKey,
  prepareCoinStore,
} from '@forecourt/coin-store';
import { REFUSALS_KEY, type Sponsorship } from '@forecourt/contracts';
import { createIotaCodec } from '@forecourt/ledger';
import {
  formRefusal,
  formSponsorship,
  readEndedSponsorship,
  readRefusedRequest,
} from '@forecourt/sponsorship';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { buildSponsored, call, executeTx, reserved, sponsor } from '../support/application.js';
import { useSystem } from '../support/use-system.js';

const system = useSystem();
const codec = createIotaCodec();
const FULL = (id: string) => `0x${id.padStart(64, '0')}`;

let redis: ReturnType<typeof prepareCoinStore>;
beforeAll(() => {
  redis = prepareCoinStore(new Redis(system.redisUrl));
});
afterAll(() => redis.disconnect());

/** Turns history on, or off (null), as the service of history does. */
const switchHistory = (backlog: number | null) => announceHistory(redis, backlog);

afterEach(async () => {
  await switchHistory(null);
  await redis.del(historyStreamKey(system.sponsor), REFUSALS_KEY);
});

async function readHistory(): Promise<Sponsorship[]> {
  const entries = await redis.xrange(historyStreamKey(system.sponsor), '-', '+');
  return entries.map(([, pairs]) =>
    formSponsorship(codec, system.sponsor, readEndedSponsorship(pairs)),
  );
}

/** The only entry about a reservation. */
async function entryOf(reservationId: number): Promise<Sponsorship> {
  const about = async () =>
    (await readHistory()).filter(({ reservation_id: id }) => id === reservationId);
  await system.until(async () => (await about()).length > 0);
  const [entry, ...others] = await about();
  expect(others).toEqual([]);
  return entry!;
}

async function readRefusals() {
  const entries = await redis.xrange(REFUSALS_KEY, '-', '+');
  return entries.map(([, pairs]) => formRefusal(readRefusedRequest(pairs)));
}

const eventsOf = ({ timeline }: Sponsorship) => timeline.map(({ event }) => event);

describe('a system whose history is turned on while it runs', () => {
  it('records an executed transaction as its caller and the ledger saw it', async () => {
    await switchHistory(1_000);
    const user = new Ed25519Keypair();
    const { reservation, transaction, answer } = await sponsor(system.application, { user });
    expect(answer.status).toBe(200);
    const entry = await entryOf(reservation.reservation_id);
    const { gasUsed } = answer.body.effects!;
    const { computationCost: computation, storageCost: storage, storageRebate: rebate } = gasUsed;
    expect(entry).toMatchObject({
      status: 'executed',
      outcome: 'success',
      token: 'default',
      user: null,
      sender: user.toIotaAddress(),
      digest: transaction.digest,
      gas_budget: '10000000',
      gas_coins: reservation.gas_coins,
      commands: [`MoveCall ${FULL('2')}::clock::timestamp_ms`],
      gas: {
        computation,
        storage,
        rebate,
        net: String(BigInt(computation) + BigInt(storage) - BigInt(rebate)),
      },
      attempts: 1,
      refusals: [],
      failure: null,
      executor: expect.any(String),
      request_ids: [answer.headers.get('x-request-id')],
    });
    expect(eventsOf(entry)).toEqual(['reserved', 'claimed', 'begun', 'submitted', 'executed']);
    const times = entry.timeline.map(({ at: time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.abs(Date.now() - entry.ended_at!)).toBeLessThan(60_000);
  });

  it('records a transaction that failed on the ledger, with the reason', async () => {
    await switchHistory(1_000);
    const { reservation, answer } = await sponsor(system.application, {
      build: (tx) => system.demo.abort(tx, 7),
    });
    expect(answer.body.effects!.status.status).toBe('failure');
    expect(await entryOf(reservation.reservation_id)).toMatchObject({
      status: 'executed',
      outcome: 'failure',
      failure: answer.body.effects!.status.error,
    });
  });

  it('records reservations that are released or expire, and the refusal by the ledger before', async () => {
    await switchHistory(1_000);
    const released = await reserved(system.application);
    const { reservation_id } = released;
    await call(system.application, 'POST', '/v1/release_gas', { reservation_id });
    const expired = await reserved(system.application, 10_000_000, 1);
    expect(await entryOf(reservation_id)).toMatchObject({ status: 'released', digest: null });
    expect(eventsOf(await entryOf(expired.reservation_id))).toEqual(['reserved', 'expired']);

    const refusedAt = await reserved(system.application, 10_000_000, 5);
    const transaction = await buildSponsored(system.application, refusedAt);
    await system.control.fault({ kind: 'refuse', preset: 'gas-price', times: 1 });
    const answer = await executeTx(system.application, refusedAt, transaction);
    expect(answer.headers.get('error-code')).toBe('REFUSED_BY_LEDGER');
    const entry = await entryOf(refusedAt.reservation_id);
    expect(entry).toMatchObject({
      status: 'expired',
      digest: transaction.digest,
      commands: [`MoveCall ${FULL('2')}::clock::timestamp_ms`],
      refusals: [
        {
          status: 400,
          code: 'REFUSED_BY_LEDGER',
          message: answer.body.error,
          digest: transaction.digest,
        },
      ],
    });
    expect(eventsOf(entry)).toEqual(['reserved', 'claimed', 'begun', 'submitted', 'expired']);
    expect(await readRefusals()).toEqual([]);
  });

  it('records requests that a gateway refuses, and not those without a token', async () => {
    await switchHistory(1_000);
    // Each gateway looks once a second.
    await system.until(async () => {
      await call(system.application, 'POST', '/v1/reserve_gas', { gas_budget: 0 });
      return (await readRefusals()).length > 0;
    });
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation, {
      gasBudget: 20_000_000,
    });
    const answer = await executeTx(system.application, reservation, transaction);
    expect(answer.headers.get('error-code')).toBe('GAS_BUDGET_ABOVE_RESERVED');
    const nobody = { ...system.application, token: 'wrong' };
    expect((await executeTx(nobody, reservation, transaction)).status).toBe(401);
    const about = async () =>
      (await readRefusals()).filter(({ digest }) => digest === transaction.digest);
    await system.until(async () => (await about()).length > 0);
    expect(await about()).toEqual([
      {
        at: expect.any(Number),
        route: 'POST /v1/execute_tx',
        token: 'default',
        user: null,
        sender: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        status: 400,
        code: 'GAS_BUDGET_ABOVE_RESERVED',
        message: answer.body.error,
        rule: null,
        digest: transaction.digest,
        reservation_id: reservation.reservation_id,
        request_id: answer.headers.get('x-request-id'),
      },
    ]);
    const { reservation_id } = reservation;
    await call(system.application, 'POST', '/v1/release_gas', { reservation_id });
  });

  it('keeps sponsoring beyond the bound, counts what it drops, and needs no more of Redis than allowed', async () => {
    const before = await countDroppedEntries(redis, system.sponsor);
    await switchHistory(2);
    for (let n = 0; n < 5; n++) {
      const { answer } = await sponsor(system.application);
      expect(answer.body.effects!.status.status).toBe('success');
    }
    expect(await readHistory()).toHaveLength(2);
    expect(await countDroppedEntries(redis, system.sponsor)).toBe(before + 3);
    expect((await system.audit()).exitCode).toBe(0);
    expect(await redis.acl('LOG')).toEqual([]);
  });

  it('records nothing more once history is off', async () => {
    await switchHistory(1_000);
    const first = await sponsor(system.application);
    await entryOf(first.reservation.reservation_id);
    await switchHistory(null);
    const second = await sponsor(system.application);
    expect(second.answer.status).toBe(200);
    expect(await readHistory()).toHaveLength(1);
  });
});
