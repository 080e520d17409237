import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { coinPoolPatterns, type ListSponsorsReply } from '@forecourt/contracts';
import type { CoinPoolClient } from './coin-pool-client.js';
import {
  connectTo,
  coin,
  message,
  reserved,
  startReplica,
  stopAll,
} from './coin-pool.test-support.js';

afterEach(stopAll);

describe('a reservation that was handed out', () => {
  const waiter = { gateway: 'g', requestType: 'waitForEffectsCert' } as const;
  const lookup = { caller: 'default', reservationId: 64, digest: 'D', waiter };
  const found = {
    reservationId: 64,
    sponsor: '0x5',
    coins: [coin],
    mayLeaveDust: true,
    gasBudget: 1,
    durationSecs: 1,
    state: 'reserved',
    digest: null,
    fence: 0,
    refusal: null,
  };
  const NOT_FOUND = { found: null, everHeld: false };

  /** Reserves, with this reply, and returns the client, whose coin-pool finds no reservation. */
  async function reserve(reply: object, reservations = 1): Promise<CoinPoolClient> {
    let reservationId = 63;
    const client = connectTo(
      await startReplica(() => ({ ...reply, reservationId: (reservationId += 1) })),
      await startReplica(() => NOT_FOUND, coinPoolPatterns.findReservation),
    );
    for (let i = 0; i < reservations; i++) await client.reserveGas(message);
    return client;
  }

  it('is found without a message, once, and only by its caller', async () => {
    const client = await reserve(reserved);
    const other = { ...lookup, caller: 'other' };
    expect(await client.findReservation(other)).toEqual(NOT_FOUND);
    expect(await client.findReservation({ ...lookup, reservationId: 65 })).toEqual(NOT_FOUND);
    expect(await client.findReservation(lookup)).toEqual({ found });
    expect(await client.findReservation(lookup)).toEqual(NOT_FOUND);
  });

  it('is not remembered if it has many coins', async () => {
    const client = await reserve({ ...reserved, coins: Array(9).fill(coin) });
    expect(await client.findReservation(lookup)).toEqual(NOT_FOUND);
  });

  it('is forgotten after 20,000 others', async () => {
    const client = await reserve(reserved, 20_001);
    expect(await client.findReservation(lookup)).toEqual(NOT_FOUND);
    const second = await client.findReservation({ ...lookup, reservationId: 65 });
    expect(second).toMatchObject({ found: { reservationId: 65 } });
  });
});

describe('the network of the pools', () => {
  it('is unknown while no coin-pool names it, and calls at the same time share one question', async () => {
    let replyIndex = 0;
    const replies: (() => Promise<ListSponsorsReply>)[] = [
      () => Promise.reject(new Error('no coin-pool answers')),
      async () => ({ sponsors: [], network: null }),
      async () => ({ sponsors: [], network: 'a1b2c3d4' }),
    ];
    const client = connectTo(1);
    jest.spyOn(client, 'listSponsors').mockImplementation(() => replies[replyIndex++]!());
    const found: string[] = [];
    while (replyIndex < replies.length) {
      const answers = [client.network(), client.network()];
      found.push(...(await Promise.all(answers.map((answer) => answer.catch(String)))));
    }
    const unknown = Array<string>(4).fill('Error: no coin-pool names it yet');
    expect(found).toEqual([...unknown, 'a1b2c3d4', 'a1b2c3d4']);
  });
});
