import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type CoinPoolPattern, coinPoolPatterns } from '@forecourt/contracts';
import { LOGGER } from '@forecourt/runtime/service';
import { createMessageClient, createMessageServer } from '@forecourt/runtime/transport';
import { freePort } from '@forecourt/testing/redis';
import { firstValueFrom } from 'rxjs';
import { CheckPool } from './check-pool.js';
import { ClaimReservation } from './claim-reservation.js';
import { CoinPoolController } from './coin-pool.controller.js';
import { DrainSponsor } from './drain-sponsor.js';
import { FindReservation } from './find-reservation.js';
import { ListSponsors } from './list-sponsors.js';
import { MessagesInFlight } from './messages-in-flight.js';
import { ReadUsages } from './read-usages.js';
import { ReleaseReservation } from './release-reservation.js';
import { ReserveGas } from './reserve-gas.js';
import { UndrainSponsor } from './undrain-sponsor.js';
import { WithdrawFunds } from './withdraw-funds.js';

const seen: unknown[] = [];
/** Answers every message that the pipe lets through with what it was given. */
const echo = { run: async (message: unknown) => void seen.push(message) };

@Module({
  controllers: [CoinPoolController],
  providers: [
    MessagesInFlight,
    { provide: LOGGER, useValue: { error: () => undefined } },
    ...[
      CheckPool,
      ClaimReservation,
      DrainSponsor,
      FindReservation,
      ListSponsors,
      ReadUsages,
      ReleaseReservation,
      ReserveGas,
      UndrainSponsor,
      WithdrawFunds,
    ].map((provide) => ({ provide, useValue: echo })),
  ],
})
class EchoModule {}

let app: INestMicroservice;
let client: ReturnType<typeof createMessageClient>;
beforeAll(async () => {
  const end = { host: '127.0.0.1', port: await freePort(), fleetSecrets: [] };
  const strategy = createMessageServer(end);
  app = await NestFactory.createMicroservice(EchoModule, { strategy, logger: false });
  await app.listen();
  client = createMessageClient(end);
});
afterAll(async () => {
  client.close();
  await app.close();
});

const send = (pattern: CoinPoolPattern, message: unknown) =>
  firstValueFrom(client.send(pattern, message as object), { defaultValue: undefined });

const digest = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const release = { caller: 'default', reservationId: 64 };
const find = { ...release, digest, waiter: { gateway: 'a', requestType: 'waitForEffectsCert' } };
const claim = { ...find, txBytes: 'AAAA', userSig: 'AAAA', rule: '', inputs: [], usage: [] };
const { reserveGas, findReservation, claimReservation, releaseReservation } = coinPoolPatterns;

describe('the messages of the coin-pool', () => {
  it('reach their handlers without fields that they do not have', async () => {
    await send(releaseReservation, { ...release, requestId: 'a', other: 1 });
    expect(seen.at(-1)).toEqual(release);
    await send(claimReservation, claim);
    expect(seen.at(-1)).toEqual({ ...claim, quarantineLimit: undefined });
    await send(coinPoolPatterns.checkPool, {});
  });

  it.each<[CoinPoolPattern, unknown, string]>([
    [reserveGas, { caller: 'default', durationSecs: 5 }, 'Invalid ReserveGasMessage: gasBudget'],
    [findReservation, { ...find, waiter: null }, 'Invalid FindReservationMessage: waiter must be'],
    [
      claimReservation,
      { ...claim, inputs: [5] },
      'Invalid ClaimReservationMessage: each of inputs',
    ],
    [releaseReservation, { caller: '' }, 'Invalid ReleaseReservationMessage: caller must be text'],
    [
      coinPoolPatterns.withdrawFunds,
      { sponsor: '0x5', to: '', reason: 'a', operator: 'b' },
      'Invalid WithdrawFundsMessage: to must be',
    ],
    [releaseReservation, 5, 'Invalid ReleaseReservationMessage: value must be an object'],
  ])(
    '%j is refused as INVALID_REQUEST naming the invalid field of %j',
    async (pattern, message, detail) => {
      const before = seen.length;
      await expect(send(pattern, message)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        detail: expect.stringContaining(detail),
      });
      expect(seen).toHaveLength(before);
    },
  );
});
