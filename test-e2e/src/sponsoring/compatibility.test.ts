import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import { type Application, call, executeTx, reserved } from '../support/application.js';
import { buildCarsProgram, driveCarProgram, signRaw } from '../support/raw-transaction.js';
import { system } from '../support/systems/usual-system.js';

const ZERO_DIGEST = '1'.repeat(32);

/** The same system, at the port for clients of public gas stations. */
function compatible(): Application {
  const { GATEWAY_COMPATIBILITY_PORT } = system.services('gateway')[0]!.options.env;
  return { ...system.application, url: `http://127.0.0.1:${GATEWAY_COMPATIBILITY_PORT}` };
}

const text = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${compatible().url}${path}`, init);
  return [response.status, await response.text()];
};

describe('the port for clients of public gas stations', () => {
  it('answers plain texts without quotes', async () => {
    const authorization = `Bearer ${compatible().token}`;
    expect(await text('/')).toEqual([200, 'OK']);
    expect(await text('/version')).toEqual([200, expect.stringMatching(/^\d+\.\d+\.\d+-\w{12}$/)]);
    const check = { method: 'POST', headers: { authorization } };
    expect(await text('/debug_health_check', check)).toEqual([200, 'OK']);
    expect(await text('/debug_health_check', { method: 'POST' })).toEqual([401, 'Unauthorized']);
  });

  it('accepts a budget of 2 000 000 000, for transactions that use it', async () => {
    const user = new Ed25519Keypair();
    const gasBudget = 2_000_000_000;
    const reservation = await reserved(compatible(), gasBudget);
    const unknown = { objectId: '0xdead', version: 1, digest: ZERO_DIGEST };
    const program = driveCarProgram(unknown, 1);
    const transaction = await signRaw({ program, user, reservation, gasBudget });
    const { status, headers } = await executeTx(compatible(), reservation, transaction);
    const { reservation_id } = reservation;
    await call(compatible(), 'POST', '/v1/release_gas', { reservation_id });
    // Its input is the only fault; the gateway checks it last, and the object may appear later.
    expect([status, headers.get('error-code')]).toEqual([503, 'INPUT_UNDECIDED']);
  });

  it('returns in a transaction block what options request', async () => {
    const user = new Ed25519Keypair();
    const reservation = await reserved(compatible());
    const program = buildCarsProgram(user.toIotaAddress());
    const transaction = await signRaw({ program, user, reservation });
    const options = { showEffects: true, showEvents: true, showObjectChanges: true };
    const { status, body } = await executeTx(compatible(), reservation, transaction, { options });
    expect([status, Object.keys(body)]).toEqual([200, ['effects', 'tx_block_response', 'error']]);
    expect(body['tx_block_response']).toMatchObject({
      digest: transaction.digest,
      effects: body.effects,
      events: expect.any(Array),
      objectChanges: expect.any(Array),
    });
  });

  it('returns both fields of reserve and execute, one of them null', async () => {
    const body = { gas_budget: 1_000_000, reserve_duration_secs: 1 };
    const good = await call(compatible(), 'POST', '/v1/reserve_gas', body);
    expect(good.body).toEqual({ result: expect.any(Object), error: null });
    for (const gas_budget of [0, 2_000_000_001]) {
      const bad = await call(compatible(), 'POST', '/v1/reserve_gas', { ...body, gas_budget });
      const error = expect.stringContaining('must be an integer from 1 to 2000000000');
      expect([bad.status, bad.body]).toEqual([400, { result: null, error }]);
    }
    const execute = { reservation_id: 64, tx_bytes: 'AAAA', user_sig: 'AAAA' };
    const refused = await call(compatible(), 'POST', '/v1/execute_tx', execute);
    expect([refused.status, refused.body]).toEqual([
      400,
      { effects: null, error: expect.any(String) },
    ]);
  });

  it('refuses requests without a token', async () => {
    const stranger = { ...compatible(), token: 'wrong' };
    const body = { gas_budget: 1_000_000, reserve_duration_secs: 1 };
    expect((await call(stranger, 'POST', '/v1/reserve_gas', body)).status).toBe(401);
  });

  it('does not change the main port', async () => {
    const body = { gas_budget: 2_000_000_000, reserve_duration_secs: 1 };
    const { status } = await call(system.application, 'POST', '/v1/reserve_gas', body);
    expect(status).toBe(400);
    expect(await (await fetch(`${system.application.url}/`)).text()).toBe('"OK"');
  });
});
