import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { coinPoolPatterns, MESSAGE_VERSION } from '@forecourt/contracts';
import { LOGGER } from '@forecourt/runtime/service';
import { createMessageClient, createMessageServer } from '@forecourt/runtime/transport';
import { freePort } from '@forecourt/testing/redis';
import { firstValueFrom } from 'rxjs';
import { ClaimsService } from './claims.service.js';
import { InspectionsService } from './inspections.service.js';
import { MessagesInFlight } from './messages-in-flight.js';
import { OperationsController } from './operations.controller.js';
import { PoolReservationsService } from './pool-reservations.service.js';
import { PoolSponsorsService } from './pool-sponsors.service.js';
import { PoolSponsorshipsService } from './pool-sponsorships.service.js';
import { ReservingService } from './reserving.service.js';
import { ReservationsController } from './reservations.controller.js';

const seen: unknown[] = [];
/** Keeps every message that passes the pipe. */
const keep = async (message: unknown) => void seen.push(message);

@Module({
  controllers: [ReservationsController, OperationsController],
  providers: [
    MessagesInFlight,
    { provide: LOGGER, useValue: { error: () => undefined } },
    { provide: ClaimsService, useValue: { claim: keep } },
    { provide: InspectionsService, useValue: { check: keep } },
    { provide: PoolReservationsService, useValue: { release: keep } },
    { provide: PoolSponsorsService, useValue: {} },
    { provide: ReservingService, useValue: {} },
    { provide: PoolSponsorshipsService, useValue: { find: keep, list: keep } },
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

const send = (pattern: { readonly cmd: string }, message: unknown) =>
  firstValueFrom(client.send(pattern, message as object), { defaultValue: undefined });

const digest = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const release = { caller: 'default', reservationId: 64 };
const find = { ...release, digest, waiter: { gateway: 'a', requestType: 'waitForEffectsCert' } };
const claim = {
  ...find,
  txBytes: 'AAAA',
  userSig: 'AAAA',
  rule: '',
  facts: '',
  inputs: [],
  usage: [],
};
const { reserveGas, findReservation, claimReservation, releaseReservation } = coinPoolPatterns;

describe('the messages of the coin-pool', () => {
  it('reach their handlers without unknown fields', async () => {
    await send(releaseReservation, { ...release, requestId: 'a', other: 1 });
    expect(seen.at(-1)).toEqual(release);
    await send(claimReservation, claim);
    expect(seen.at(-1)).toEqual({ ...claim, quarantineLimit: undefined });
    await send(coinPoolPatterns.checkPool, {});
  });

  it('are accepted with the known version, and without one', async () => {
    for (const message of [release, { ...release, version: MESSAGE_VERSION }]) {
      await send(releaseReservation, message);
      expect(seen.at(-1)).toEqual(release);
    }
  });

  it('are refused with a newer version, naming both versions, and have no effect', async () => {
    const before = seen.length;
    const version = MESSAGE_VERSION + 1;
    for (const message of [
      { ...release, version },
      { version, anything: 'else' },
    ]) {
      await expect(send(releaseReservation, message)).rejects.toEqual({
        code: 'COIN_POOL_OUTDATED',
        detail: `it understands messages up to version ${MESSAGE_VERSION}, and this one is of version ${version}`,
      });
    }
    expect(seen).toHaveLength(before);
  });

  it.each([0, -1, 1.5, '1', null, [1], Number.MAX_VALUE])(
    'are refused with version %p',
    async (version) => {
      await expect(send(releaseReservation, { ...release, version })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        detail: expect.stringContaining('version must be an integer from 1; got'),
      });
    },
  );

  it.each<[{ readonly cmd: string }, unknown, string]>([
    [reserveGas, { caller: 'default', durationSecs: 5 }, 'Invalid ReserveGasMessage: gasBudget'],
    [findReservation, { ...find, waiter: null }, 'Invalid FindReservationMessage: waiter must be'],
    [
      claimReservation,
      { ...claim, inputs: [5] },
      'Invalid ClaimReservationMessage: each of inputs',
    ],
    [releaseReservation, { caller: '' }, 'Invalid ReleaseReservationMessage: caller must be text'],
    [coinPoolPatterns.inspectPools, { listed: 1_000 }, 'Invalid InspectPoolsMessage: listed'],
    [coinPoolPatterns.explainTransaction, {}, 'Invalid ExplainTransactionMessage: digest'],
    [
      coinPoolPatterns.withdrawFunds,
      { sponsor: '0x5', to: '', reason: 'a', operator: 'b' },
      'Invalid WithdrawFundsMessage: to must be',
    ],
    [
      coinPoolPatterns.withdrawAmount,
      { sponsor: '0x5', to: '0x6', reason: 'a', operator: 'b', amount: '0' },
      'Invalid WithdrawAmountMessage: amount must be a decimal integer in text from 1 to',
    ],
    [releaseReservation, 5, 'Invalid ReleaseReservationMessage: value must be an object'],
  ])(
    'are refused as INVALID_REQUEST for %j, naming the invalid field of %j',
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
