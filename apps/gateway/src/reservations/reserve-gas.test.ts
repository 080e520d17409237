import { describe, expect, it } from '@jest/globals';
import { ForecourtError, type ReserveGasMessage } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import { RememberedReservations } from './remembered-reservations.js';
import { type GasRequest, ReserveGas } from './reserve-gas.js';

const caller = { name: 'shop:0x1', token: 'shop' } as Caller;
const request: GasRequest = { requestId: 'r', gasBudget: 9, durationSecs: 60 };
const limits = { coins: 3 };
const reserved = {
  reservationId: 64,
  sponsor: '0x5',
  coins: [{ objectId: '0xa', version: 1, digest: 'C' }],
  deadlineMs: 1_000,
  mayLeaveDust: true,
};

interface Surroundings {
  readonly asked?: Partial<GasRequest>;
  /** The step that refuses. */
  readonly refuses?: string;
  readonly answer?: object;
}

const refusal = new ForecourtError('PAUSED', 'maintenance');

async function reserve({ asked, refuses, answer = reserved }: Surroundings = {}) {
  const steps: string[] = [];
  const messages: ReserveGasMessage[] = [];
  const released: unknown[] = [];
  const step = (name: string) => {
    steps.push(name);
    if (name === refuses) throw refusal;
  };
  const remembered = new RememberedReservations();
  const reserveGas = new ReserveGas(
    {
      async reserveGas(message: ReserveGasMessage) {
        step('reserve');
        messages.push(message);
        return answer;
      },
    } as never,
    { decideReservation: () => step('decide') } as never,
    {
      checkReservation: () => step('check'),
      reservationLimits: () => ({ limits }),
    } as never,
    remembered,
    {
      requireRunning: ({ token, sponsor = 'any' }: { token: string; sponsor?: string }) =>
        step(`running ${token} ${sponsor}`),
    } as never,
    { run: async (message: unknown) => void released.push(message) } as never,
    { debug: () => undefined } as never,
  );
  const outcome = await reserveGas
    .run(caller, { ...request, ...asked })
    .catch((error: Error) => error);
  return { outcome, steps, messages, released, kept: remembered.take(caller.name, 64) };
}

describe('the reservation of gas', () => {
  it('is made when everything allows it, and remembered for its first transaction', async () => {
    const { outcome, steps, messages, released, kept } = await reserve();
    expect(outcome).toBe(reserved);
    expect(steps).toEqual(['running shop any', 'check', 'decide', 'reserve', 'running shop 0x5']);
    expect(messages).toEqual([{ caller: 'shop:0x1', gasBudget: 9, durationSecs: 60, limits }]);
    expect(released).toEqual([]);
    const { reservationId, sponsor, coins } = reserved;
    expect(kept).toEqual({
      reservationId,
      sponsor,
      coins,
      mayLeaveDust: true,
      gasBudget: 9,
      durationSecs: 60,
      state: 'reserved',
      digest: null,
      fence: 0,
      refusal: null,
    });
  });

  it('comes from the sponsor that the caller names', async () => {
    const { steps, messages } = await reserve({ asked: { sponsor: '0x6' } });
    expect(steps[0]).toBe('running shop 0x6');
    expect(messages).toMatchObject([{ sponsor: '0x6' }]);
  });

  it.each(['running shop any', 'check', 'decide'])(
    'asks for no coins when refused by: %s',
    async (refuses) => {
      const { outcome, steps, messages } = await reserve({ refuses });
      expect([outcome, steps.at(-1), messages]).toEqual([refusal, refuses, []]);
    },
  );

  it('is released when the sponsor that it got is paused', async () => {
    const { outcome, released, kept } = await reserve({ refuses: 'running shop 0x5' });
    expect(outcome).toBe(refusal);
    expect(released).toEqual([{ caller: 'shop:0x1', reservationId: 64 }]);
    expect(kept).toBeNull();
  });

  it('is not remembered when a coin-pool of an older release sends only part of it', async () => {
    const answer = { ...reserved, mayLeaveDust: undefined };
    const { outcome, kept } = await reserve({ answer });
    expect([outcome, kept]).toEqual([answer, null]);
  });
});
