import { describe, expect, it } from '@jest/globals';
import type { App } from '@forecourt/testing/system';
import { createLocalSigner } from '@forecourt/ledger';
import { decodeIotaPrivateKey } from '@iota/iota-sdk/cryptography';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { buildSponsored, call, executeTx, reserved, sponsor } from '../../support/application.js';
import { system } from '../../support/systems/observed-system.js';

type Line = Readonly<Record<string, unknown>>;
const apps: readonly App[] = ['gateway', 'coin-pool', 'executor', 'events', 'devnet'];
const WRONG_TOKEN = 'a-token-that-is-wrong-0123456789';

/** Secrets that were sent to the services and must not appear in logs. */
const secrets: string[] = [];

async function linesOf(app: App): Promise<Line[]> {
  const texts = await Promise.all(system.services(app).map((service) => service.log()));
  return texts
    .flatMap((text) => text.trim().split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

async function execute(requestId: string, user: Ed25519Keypair, over: object = {}) {
  const { application } = system;
  const reservation = await reserved(application);
  const transaction = await buildSponsored(application, reservation, { user });
  const { tx_bytes, user_sig } = transaction;
  secrets.push(user_sig, tx_bytes);
  const body = { reservation_id: reservation.reservation_id, tx_bytes, user_sig, ...over };
  const headers = { 'x-request-id': requestId };
  const answer = await call(application, 'POST', '/v1/execute_tx', body, headers);
  return { answer, reservationId: reservation.reservation_id, digest: transaction.digest };
}

describe('the logs', () => {
  it('connect a request to the work of every service on it', async () => {
    const { answer, reservationId, digest } = await execute('request-1', new Ed25519Keypair());
    expect(answer.status).toBe(200);
    const concerned = { requestId: 'request-1', reservationId, digest };
    for (const app of ['coin-pool', 'executor'] as const) {
      await system.until(async () =>
        (await linesOf(app)).some((line) => line['requestId'] === 'request-1'),
      );
      const lines = (await linesOf(app)).filter((line) => line['digest'] === digest);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).toMatchObject(concerned);
    }
  });

  it('name request, reservation and transaction of a refusal, with the code of its error', async () => {
    const stranger = new Ed25519Keypair();
    const { signature } = await stranger.signTransaction(new Uint8Array(100));
    secrets.push(signature);
    const refused = await execute('request-2', new Ed25519Keypair(), { user_sig: signature });
    expect(refused.answer.status).toBe(400);
    const { reservationId } = refused;
    await system.until(async () =>
      (await linesOf('gateway')).some(({ code }) => code === 'INVALID_SIGNATURE'),
    );
    expect(await linesOf('gateway')).toContainEqual(
      expect.objectContaining({
        requestId: 'request-2',
        reservationId,
        code: 'INVALID_SIGNATURE',
        status: 400,
      }),
    );
  });

  it('name them when the coin-pool fails, too', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    secrets.push(transaction.user_sig, transaction.tx_bytes);
    await system.stopRedis();
    const answer = await executeTx(application, reservation, transaction);
    expect(answer.status).toBe(503);
    const requestId = answer.headers.get('x-request-id');
    const { reservation_id: reservationId } = reservation;
    for (const app of ['coin-pool', 'gateway'] as const) {
      await system.until(async () =>
        (await linesOf(app)).some(({ digest }) => digest === transaction.digest),
      );
    }
    const about = { requestId, reservationId, digest: transaction.digest };
    expect(await linesOf('coin-pool')).toContainEqual(expect.objectContaining(about));
    expect(await linesOf('gateway')).toContainEqual(expect.objectContaining(about));
    await system.startRedis();
  });

  it('contain no token, key or signature', async () => {
    const { application, sponsorSecret } = system;
    await call({ ...application, token: WRONG_TOKEN }, 'POST', '/v1/reserve_gas', {});
    await call(application, 'POST', '/v1/execute_tx', `{"user_sig":"${secrets[0]}`);
    await sponsor(application).catch(() => undefined);
    const { secretKey } = decodeIotaPrivateKey(sponsorSecret);
    const key = Buffer.from(secretKey);
    secrets.push(application.token, WRONG_TOKEN, sponsorSecret, key.toString('base64'));
    secrets.push(key.toString('hex'), Buffer.concat([Buffer.of(0), key]).toString('base64'));
    expect(createLocalSigner(sponsorSecret).address).toBe(system.sponsor);
    for (const app of apps) {
      const lines = await linesOf(app);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        expect(typeof line['level']).toBe('string');
        expect(line['service']).toBe(app);
        const text = JSON.stringify(line);
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      }
    }
    expect(secrets.length).toBeGreaterThan(8);
  });
});
