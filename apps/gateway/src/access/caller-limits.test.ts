import { describe, expect, it } from '@jest/globals';
import { readGatewayConfig } from '../gateway-config.js';
import { CallerLimits } from './caller-limits.js';

const defaults = readGatewayConfig({
  GAS_STATION_AUTH: 'token',
  ALLOW_UNAUTHENTICATED_FLEET: 'true',
});
const limitsOf = (over: Partial<typeof defaults> = {}) =>
  new CallerLimits({ ...defaults, ...over });
const anyone = { sponsors: 'any' } as const;
const terms = { gasBudget: 500, durationSecs: 60 };

describe('checkReservation', () => {
  it('refuses more than the operator allows, naming each bound and the received value', () => {
    const limits = limitsOf({ maxGasBudget: 500, maxReserveDurationSecs: 60 });
    expect(() => limits.checkReservation(anyone, terms)).not.toThrow();
    const more = () => limits.checkReservation(anyone, { gasBudget: 501, durationSecs: 61 });
    expect(more).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining(
          'gas_budget must be an integer from 1 to 500; got 501; reserve_duration_secs must be an integer from 1 to 60; got 61',
        ),
      }),
    );
    const longer = () => limits.checkReservation(anyone, { ...terms, durationSecs: 61 });
    expect(longer).toThrow('reserve_duration_secs');
  });

  it('refuses a sponsor that the token does not name', () => {
    const own = { sponsors: ['0x5', '0x6'] };
    const limits = limitsOf();
    for (const sponsor of [undefined, '0x6']) {
      expect(() => limits.checkReservation(own, { ...terms, sponsor })).not.toThrow();
    }
    const foreign = { ...terms, sponsor: '0x7' };
    const refused = expect.objectContaining({ code: 'FORBIDDEN' });
    expect(() => limits.checkReservation(own, foreign)).toThrow(refused);
    expect(() => limits.checkReservation(anyone, foreign)).not.toThrow();
  });
});

describe('the limits of a caller', () => {
  const limits = limitsOf({
    reserveMaxCoins: 10,
    reserveMaxBudget: 1_000,
    reserveMaxPoolShare: 50,
    reserveMaxUnused: 600,
    quarantineMax: 3,
    quarantineWindowSecs: 60,
  });
  const complete = {
    coins: 10,
    budget: 1_000,
    coinsPerMinute: null,
    budgetPerMinute: null,
    poolShare: 50,
    unusedPerMinute: 600,
  };

  it('come from its token, or else from the configuration', () => {
    const caller = { reservation: { coins: 2 }, usersReservation: {}, sender: null };
    expect(limits.reservationLimits(caller)).toEqual({
      limits: { ...complete, coins: 2 },
    });
  });

  it('bound one user of a token, and all its users together', () => {
    const user = { reservation: { coins: 2 }, usersReservation: { budget: 7 }, sender: '0x1' };
    expect(limits.reservationLimits(user)).toEqual({
      limits: { ...complete, coins: 2 },
      usersLimits: { ...complete, budget: 7 },
    });
  });

  it('include a number of quarantines within a window', () => {
    const own = { most: 9, windowMs: 1_000 };
    expect(limits.quarantineLimit({ quarantine: null })).toEqual({
      most: 3,
      windowMs: 60_000,
    });
    expect(limits.quarantineLimit({ quarantine: own })).toEqual(own);
  });
});
