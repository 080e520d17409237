import { describe, expect, it } from '@jest/globals';
import {
  buildSponsored,
  call,
  executeTx,
  type Reservation,
  reserved,
  reserveGas,
} from '../support/application.js';
import { refusalOfClient } from '../access/refusal-of-client.js';
import { COINS, system } from '../support/systems/small-pool.js';

describe('POST /v1/reserve_gas', () => {
  it.each([
    ['gas_budget', 0],
    ['gas_budget', 2_000_000_000],
    ['gas_budget', '5'],
    ['gas_budget', 5.5],
    ['gas_budget', true],
    ['gas_budget', null],
    ['gas_budget', undefined],
    ['reserve_duration_secs', 0],
    ['reserve_duration_secs', 601],
    ['reserve_duration_secs', '60'],
    ['reserve_duration_secs', 1.5],
    ['reserve_duration_secs', [1]],
  ])('refuses %s = %p and names it', async (field, value) => {
    const body = { gas_budget: 1_000_000, reserve_duration_secs: 5, [field]: value };
    const answer = await call(system.application, 'POST', '/v1/reserve_gas', body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(answer.body.error).toContain(field);
  });

  it.each(['{"gas_budget":1e3000,"reserve_duration_secs":5}', '{"gas_budget":', '', '[]', '7'])(
    'refuses the body %p',
    async (body) => {
      const answer = await call(system.application, 'POST', '/v1/reserve_gas', body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toEqual(expect.any(String));
    },
  );

  it.each([
    ['application/x-www-form-urlencoded', '"application/x-www-form-urlencoded"'],
    ['text/plain;charset=UTF-8', '"text/plain;charset=UTF-8"'],
    ['application/xml', '"application/xml"'],
    ['', 'none'],
  ])('names the content type %p if JSON is required', async (contentType, arrived) => {
    const { url, token } = system.application;
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (contentType !== '') headers['content-type'] = contentType;
    // Bytes, because fetch adds a content type to text.
    const body = new TextEncoder().encode('{"gas_budget":1000000,"reserve_duration_secs":5}');
    const answer = await fetch(`${url}/v1/reserve_gas`, { method: 'POST', headers, body });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: `Content-Type must be application/json; got ${arrived}` },
    ]);
  });

  it('requires no content type on a route that reads no body', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const body of ['', 'anything']) {
      const answer = await call(system.application, 'POST', '/debug_health_check', body, form);
      expect([answer.status, answer.body]).toEqual([200, 'OK']);
    }
    await system.untilAvailable(COINS);
  });

  it('ignores unknown fields, and accepts the largest budget and the bounds of the duration', async () => {
    for (const [gas_budget, reserve_duration_secs] of [
      [1, 1],
      [1_000_000_000, 1],
    ]) {
      const body = { gas_budget, reserve_duration_secs, memo: { any: 'thing' } };
      const answer = await call(system.application, 'POST', '/v1/reserve_gas', body);
      expect(answer.status).toBe(200);
    }
    await system.untilAvailable(COINS);
  });

  it('answers 503 with Retry-After if no coins are left, and never reserves partially', async () => {
    const all = await Promise.all(
      Array.from({ length: COINS + 5 }, () => reserveGas(system.application, 10_000_000, 600)),
    );
    const refused = all.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(5);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused[0]!.body.error).toEqual(expect.any(String));
    const made = all
      .filter(({ status }) => status === 200)
      .map(({ body }) => body.result as unknown as Reservation);
    const ids = made.flatMap(({ gas_coins }) => gas_coins.map(({ objectId }) => objectId));
    expect(new Set(ids).size).toBe(COINS);
    for (const { reservation_id } of made) {
      await call(system.application, 'POST', '/v1/release_gas', { reservation_id });
    }
    await system.untilAvailable(COINS);
    const more = { gasBudget: 1_999_999_999, durationSecs: 2 };
    expect(await refusalOfClient(system.application, (client) => client.reserve(more))).toEqual({
      code: 'NO_COINS',
      header: 'NO_COINS',
      status: 503,
      isRefusal: false,
      asksToWait: true,
    });
  });

  it('holds coins to the second: not before the deadline, soon after it', async () => {
    const { application } = system;
    const kept = await reserved(application, 10_000_000, 600);
    const madeAt = Date.now();
    const short = await reserved(application, 10_000_000, 2);
    const transaction = await buildSponsored(application, short);
    await system.untilAvailable(COINS - 1);
    const heldMs = Date.now() - madeAt;
    expect(heldMs).toBeGreaterThanOrEqual(1_990);
    expect(heldMs).toBeLessThan(10_000);
    const late = await executeTx(application, short, transaction);
    expect([late.status, late.body.error]).toEqual([
      400,
      `Reservation ${short.reservation_id} has expired`,
    ]);
    const other = await buildSponsored(application, kept);
    expect((await executeTx(application, kept, other)).status).toBe(200);
  });

  it('never issues an id twice, also across restarts of the coin-pool and Redis', async () => {
    const { application } = system;
    const before = (await reserved(application, 1_000_000, 1)).reservation_id;
    await system.restart('coin-pool');
    const after = (await reserved(application, 1_000_000, 1)).reservation_id;
    expect(after).toBeGreaterThan(before);
    await system.untilAvailable(COINS);
  });
});

describe('POST /debug_health_check', () => {
  it('returns its coin at once: many concurrent calls do not drain the pool', async () => {
    const checks = await Promise.all(
      Array.from({ length: 50 }, () => call(system.application, 'POST', '/debug_health_check')),
    );
    expect(checks.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(checks[0]!.body).toBe('OK');
    await system.untilAvailable(COINS);
  });

  it('reports an unreachable ledger, which does not affect reservations', async () => {
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation);
    await system.control.fault({ kind: 'down' });
    const check = await call(system.application, 'POST', '/debug_health_check');
    const during = await executeTx(system.application, reservation, transaction);
    await system.control.clearFaults();
    expect([check.status, during.status]).toEqual([503, 503]);
    const after = await executeTx(system.application, reservation, transaction);
    expect(after.body.effects?.status.status).toBe('success');
  });
});
