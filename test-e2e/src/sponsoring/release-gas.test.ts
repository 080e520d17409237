import { describe, expect, it } from '@jest/globals';
import { buildSponsored, call, executeTx, reserved } from '../support/application.js';
import { COINS, system } from '../support/systems/small-pool.js';

const release = (reservation_id: unknown, application = system.application) =>
  call(application, 'POST', '/v1/release_gas', { reservation_id });

describe('POST /v1/release_gas', () => {
  it('returns the coins at once, and reports when there is nothing to release', async () => {
    await system.untilAvailable(COINS);
    const reservation = await reserved(system.application);
    const answers = [
      await release(reservation.reservation_id),
      await release(reservation.reservation_id),
      await release(64 * 1_000_000),
    ];
    expect(answers.map(({ status, body }) => [status, body.result])).toEqual([
      [200, { released: true }],
      [200, { released: false }],
      [200, { released: false }],
    ]);
    await system.untilAvailable(COINS);
    const transaction = await buildSponsored(system.application, reservation);
    const late = await executeTx(system.application, reservation, transaction);
    expect(late.headers.get('error-code')).toBe('RESERVATION_RELEASED');
  });

  it('does not release coins that a transaction uses', async () => {
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation);
    expect((await executeTx(system.application, reservation, transaction)).status).toBe(200);
    const { body } = await release(reservation.reservation_id);
    expect(body.result).toEqual({ released: false });
  });

  it('refuses an invalid reservation id', async () => {
    const answer = await release('64');
    expect([answer.status, answer.headers.get('error-code')]).toEqual([400, 'INVALID_REQUEST']);
  });
});
