import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import { call, reserved } from '../support/application.js';
import { buildCarsProgram, signRaw } from '../support/raw-transaction.js';
import { chooseDialect } from '../support/dialect-config.js';
import { system } from '../support/systems/usual-system.js';
import { withoutPure } from '../support/without-pure.js';

async function executeWith(options: unknown) {
  const user = new Ed25519Keypair();
  const { application } = system;
  const reservation = await reserved(application);
  const program = buildCarsProgram(user.toIotaAddress());
  const { tx_bytes, user_sig } = await signRaw({ program, user, reservation });
  const body = { reservation_id: reservation.reservation_id, tx_bytes, user_sig, options };
  return call(application, 'POST', '/v1/execute_tx', body);
}

describe('options of POST /v1/execute_tx', () => {
  it('return the requested fields in the ledger’s own JSON, and no others', async () => {
    const { status, body } = await executeWith({ showObjectChanges: true, showInput: true });
    expect([status, Object.keys(body).sort()]).toEqual([
      200,
      ['effects', 'error', 'input', 'object_changes'],
    ]);
    const digest = body.effects!['transactionDigest'];
    const response = await system.application.ledger.getTransactionBlock({
      digest,
      options: { showObjectChanges: true, showInput: true },
    });
    expect(body['object_changes']).toEqual(response.objectChanges);
    const seen = chooseDialect() === 'grpc' ? withoutPure : (input: unknown) => input;
    expect(seen(body['input'])).toEqual(seen(response.transaction));
  });

  it.each([undefined, null, {}, { showEvents: false }, { unknown: true }])(
    'change nothing as %j',
    async (options) => {
      const { status, body } = await executeWith(options);
      expect([status, Object.keys(body)]).toEqual([200, ['effects', 'error']]);
    },
  );

  it.each(['all', [], { showEvents: 1 }])('are refused by name as %j', async (options) => {
    const { status, body, headers } = await executeWith(options);
    expect([status, headers.get('error-code')]).toEqual([400, 'INVALID_REQUEST']);
    expect(body.error).toMatch(/options/);
  });
});
