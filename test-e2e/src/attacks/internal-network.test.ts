import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { coinPoolPatterns } from '@forecourt/contracts';
import type { ServiceProcess } from '@forecourt/testing/system';
import { createMessageClient } from '@forecourt/runtime/transport';
import { firstValueFrom } from 'rxjs';
import {
  buildSponsored,
  executeTx,
  reserved,
  reserveGas,
  sponsor,
} from '../support/application.js';
import { frame, openConnection, recordTo, sendPieces } from './raw-messages.js';
import { startGateway } from '../support/start-gateway.js';
import { system } from '../support/systems/usual-system.js';

const WRONG_SECRET = 'the-secret-of-quite-another-fleet-somewhere';
const RESERVE = { caller: 'somebody', gasBudget: 10_000_000, durationSecs: 600 };
/** More unauthenticated connections than a coin-pool keeps open. */
const IDLE_CONNECTIONS = 130;

let coinPool: ServiceProcess;
let port: number;
const gateways: ServiceProcess[] = [];
beforeAll(() => {
  coinPool = system.services('coin-pool')[0]!;
  port = Number(coinPool.options.env['COIN_POOL_PORT']);
});
const stopGateways = () => Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));

/** Starts another gateway, which stops after the tests of the block. */
async function addGateway(settings: Record<string, string>): Promise<ServiceProcess> {
  const gateway = await startGateway(system, settings);
  gateways.push(gateway);
  return gateway;
}

const reservedCoins = async () => Number((await system.totals()).coins.reserved);

describe('a client inside the network without the fleet’s secret', () => {
  afterAll(stopGateways);

  it('cannot reserve gas', async () => {
    const arrived = await sendPieces(port, [frame(coinPoolPatterns.reserveGas, RESERVE)]);
    expect(arrived).not.toContain('reservationId');
    expect(await reservedCoins()).toBe(0);
  });

  it('cannot claim, find or release another caller’s reservation', async () => {
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation);
    const { reservation_id: reservationId } = reservation;
    const about = { caller: 'default', reservationId, digest: transaction.digest };
    const waiter = { gateway: 'attacker', requestType: 'waitForEffectsCert' };
    const claim = {
      ...about,
      txBytes: transaction.tx_bytes,
      userSig: transaction.user_sig,
      inputs: [],
      usage: [],
      rule: '',
      waiter,
    };
    const messages = [
      frame(coinPoolPatterns.findReservation, { ...about, waiter }),
      frame(coinPoolPatterns.claimReservation, claim),
      frame(coinPoolPatterns.releaseReservation, { caller: 'default', reservationId }),
    ];
    for (const message of messages) {
      expect(await sendPieces(port, [message])).not.toContain('"id"');
    }
    const answer = await executeTx(system.application, reservation, transaction);
    expect(answer.status).toBe(200);
  });

  it('gets no answer with the secret of another fleet, and the coin-pool’s log says so', async () => {
    const stranger = createMessageClient({ host: '127.0.0.1', port, fleetSecrets: [WRONG_SECRET] });
    const sent = firstValueFrom(stranger.send(coinPoolPatterns.reserveGas, RESERVE));
    await expect(sent).rejects.toThrow();
    stranger.close();
    expect(await reservedCoins()).toBe(0);
    expect(await coinPool.log()).toContain('did not prove that they belong to the fleet');
  });

  it('gets no answer by replaying what a gateway has sent', async () => {
    const recorder = await recordTo(port);
    const gateway = await addGateway({ COIN_POOL_ENDPOINTS: `127.0.0.1:${recorder.port}` });
    await reserved({ ...system.application, url: gateway.url });
    expect(recorder.sent.length).toBeGreaterThan(0);
    const before = await reservedCoins();
    await sendPieces(port, recorder.sent);
    recorder.close();
    expect(await reservedCoins()).toBe(before);
  });

  it('cannot keep gateways out with connections that send no proof', async () => {
    let open = 0;
    for (let count = 0; count < IDLE_CONNECTIONS; count++) {
      const socket = (await openConnection(port)).resume();
      open += 1;
      socket.on('close', () => (open -= 1));
    }
    await system.until(async () => open <= 100, 2_000);
    const gateway = await addGateway({});
    const { answer } = await sponsor({ ...system.application, url: gateway.url });
    expect(answer.status).toBe(200);
    await system.until(async () => open === 0, 10_000);
  });
});

describe('a gateway with a different secret than its coin-pool', () => {
  afterAll(stopGateways);

  it('answers 503, and its log names the remedy', async () => {
    const gateway = await addGateway({ FLEET_SECRET: WRONG_SECRET });
    const answer = await reserveGas({ ...system.application, url: gateway.url });
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true]);
    expect(await gateway.log()).toContain('both services need the same FLEET_SECRET');
  });
});

describe('a service without the fleet’s secret', () => {
  afterAll(stopGateways);

  it('does not start unless ALLOW_UNAUTHENTICATED_FLEET is set', async () => {
    const none = { FLEET_SECRET: '' };
    for (const { exitCode, output } of [
      await system.tryGateway(none),
      await system.tryCoinPool(none),
    ]) {
      expect([exitCode, output]).toEqual([1, expect.stringContaining('FLEET_SECRET is not set')]);
    }
  });

  it('starts with ALLOW_UNAUTHENTICATED_FLEET, and does not belong to a fleet that has a secret', async () => {
    const open = { FLEET_SECRET: '', ALLOW_UNAUTHENTICATED_FLEET: 'true' };
    const { url } = await addGateway(open);
    expect((await reserveGas({ ...system.application, url })).status).toBe(503);
  });
});
