import { describe, expect, it } from '@jest/globals';
import { ForecourtError, type ReserveGasMessage } from '@forecourt/contracts';
import { CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import { LOGGER } from '@forecourt/runtime/service';
import { Test } from '@nestjs/testing';
import { AccessPolicy } from '../access/access-policy.js';
import { CallerLimits } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { Pauses } from '../access/pauses.js';
import type { GasRequest } from '../access/caller-limits.js';
import { ReservationsService } from './reservations.service.js';

const caller = { ...CONFIGURED_CALLER, name: 'shop:0x1', token: 'shop' };
const call = { requestId: 'r', caller, refusal: {} };
const message = { caller: 'shop:0x1', reservationId: 64 };
const limits = { coins: 3 };
const reserved = {
  reservationId: 64,
  sponsor: '0x5',
  coins: [{ objectId: '0xa', version: 1, digest: 'C' }],
  deadlineMs: 1_000,
  mayLeaveDust: true,
};
const refusal = new ForecourtError('PAUSED', 'maintenance');

interface Surroundings {
  /** The check that refuses: `running <token> <sponsor>`, `limits` or `rules`. */
  readonly refuses?: string;
  /** The error of each release. */
  readonly releaseError?: Error;
  /** The sponsor that the access rules choose. */
  readonly sponsorOfRules?: string;
}

async function aGateway({ refuses, releaseError, sponsorOfRules }: Surroundings = {}) {
  const messages: ReserveGasMessage[] = [];
  const released: unknown[] = [];
  const warned: unknown[] = [];
  const check = (name: string) => {
    if (name === refuses) throw refusal;
  };
  const coinPool = {
    async reserveGas(received: ReserveGasMessage) {
      messages.push(received);
      return reserved;
    },
    readUsages: async ({ sponsor = '0x5' }: { sponsor?: string }) => ({ sponsor, usages: [] }),
    async releaseReservation(received: unknown) {
      released.push(received);
      if (releaseError) throw releaseError;
    },
  };
  const requireRunning = ({ token, sponsor = 'any' }: { token: string; sponsor?: string }) =>
    check(`running ${token} ${sponsor}`);
  const module = await Test.createTestingModule({
    providers: [
      ReservationsService,
      { provide: CoinPoolClient, useValue: coinPool },
      {
        provide: AccessPolicy,
        useValue: {
          decideReservation: () => (check('rules'), sponsorOfRules),
          findSponsor: () => sponsorOfRules,
        },
      },
      {
        provide: CallerLimits,
        useValue: {
          checkReservation: () => check('limits'),
          reservationLimits: () => ({ limits }),
        },
      },
      { provide: Pauses, useValue: { requireRunning } },
      {
        provide: LOGGER,
        useValue: { debug: () => undefined, warn: (fields: unknown) => void warned.push(fields) },
      },
    ],
  }).compile();
  return { reservations: module.get(ReservationsService), messages, released, warned };
}

/** The outcome of a reservation, or its error. */
async function reserve(surroundings: Surroundings = {}, gasRequest: Partial<GasRequest> = {}) {
  const gateway = await aGateway(surroundings);
  const request = { gasBudget: 9, durationSecs: 60, ...gasRequest };
  const outcome = await gateway.reservations.reserve(call, request).catch((error: Error) => error);
  return { ...gateway, outcome };
}

describe('reserve', () => {
  it('reserves coins after all checks have passed', async () => {
    const { outcome, messages, released } = await reserve();
    expect(outcome).toBe(reserved);
    expect(messages).toEqual([{ caller: 'shop:0x1', gasBudget: 9, durationSecs: 60, limits }]);
    expect(released).toEqual([]);
  });

  it('reserves coins of the sponsor that the caller names', async () => {
    const { messages } = await reserve({}, { sponsor: '0x6' });
    expect(messages).toMatchObject([{ sponsor: '0x6' }]);
    const paused = await reserve({ refuses: 'running shop 0x6' }, { sponsor: '0x6' });
    expect([paused.outcome, paused.messages]).toEqual([refusal, []]);
  });

  it('reserves coins of the sponsor that a rule names, if the caller names none', async () => {
    const { messages } = await reserve({ sponsorOfRules: '0x7' });
    expect(messages).toMatchObject([{ sponsor: '0x7' }]);
    const both = await reserve({ sponsorOfRules: '0x7' }, { sponsor: '0x6' });
    expect(both.messages).toMatchObject([{ sponsor: '0x6' }]);
    const paused = await reserve({ sponsorOfRules: '0x7', refuses: 'running shop 0x7' });
    expect([paused.outcome, paused.messages]).toEqual([refusal, []]);
  });

  it.each(['running shop any', 'limits', 'rules'])(
    'asks for no coins when refused by: %s',
    async (refuses) => {
      const { outcome, messages } = await reserve({ refuses });
      expect([outcome, messages]).toEqual([refusal, []]);
    },
  );

  it('releases the coins when their sponsor is paused', async () => {
    const { outcome, released } = await reserve({ refuses: 'running shop 0x5' });
    expect(outcome).toBe(refusal);
    expect(released).toEqual([message]);
  });
});

describe('the sponsor of a dry run', () => {
  const gasRequest = { gasBudget: 9, durationSecs: 60 };

  it('is the chosen one, that of a rule, or the pool’s first', async () => {
    const { reservations } = await aGateway();
    expect(await reservations.findSponsor(call, { ...gasRequest, sponsor: '0x6' })).toBe('0x6');
    expect(await reservations.findSponsor(call, gasRequest)).toBe('0x5');
    const { reservations: withRules } = await aGateway({ sponsorOfRules: '0x7' });
    expect(await withRules.findSponsor(call, gasRequest)).toBe('0x7');
  });

  it('is refused while it is paused', async () => {
    const { reservations } = await aGateway({ refuses: 'running shop 0x5' });
    await expect(reservations.findSponsor(call, gasRequest)).rejects.toBe(refusal);
  });
});

describe('release', () => {
  it('reports whether the call has released the coins', async () => {
    const { reservations } = await aGateway();
    expect(await reservations.release(message)).toBe(true);
    const unknown = await aGateway({ releaseError: new ForecourtError('RESERVATION_UNKNOWN') });
    expect(await unknown.reservations.release(message)).toBe(false);
    const away = await aGateway({ releaseError: new ForecourtError('POOL_REFUSED') });
    await expect(away.reservations.release(message)).rejects.toMatchObject({
      code: 'POOL_REFUSED',
    });
  });
});

describe('the release of a reservation that cannot be used', () => {
  it('returns its coins', async () => {
    const { reservations, released, warned } = await aGateway();
    await reservations.releaseUnused(message, 'r-1');
    expect([released, warned]).toEqual([[message], []]);
  });

  it('is left to the deadline, and logged, when the coin-pool fails to do it', async () => {
    const { reservations, warned } = await aGateway({ releaseError: new Error('down') });
    await reservations.releaseUnused(message, 'r-1');
    expect(warned).toEqual([{ requestId: 'r-1', reservationId: 64, cause: 'Error: down' }]);
  });
});
