import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GasStation } from '../index.js';
import {
  burn,
  completeTransaction,
  COINS,
  sender,
  SPONSOR,
  user,
} from './honest-answers.test-support.js';
import { isSponsored } from './is-sponsored.js';
import { StandInGasStation } from './stand-in-gas-station.test-support.js';

const ATTACKER = `0x${'e'.repeat(64)}`;

let server: StandInGasStation;
let station: GasStation;
const requests: Uint8Array[] = [];
const signer = {
  address: sender,
  signTransaction(bytes: Uint8Array) {
    requests.push(bytes);
    return user.signTransaction(bytes);
  },
};
beforeAll(async () => {
  server = await StandInGasStation.start();
  station = new GasStation({ url: server.url });
});
afterAll(() => server.stop());

describe('a compromised gas station', () => {
  it.each<[string, () => Promise<object>]>([
    ['does something else', () => completeTransaction(burn(8))],
    ['does more', () => completeTransaction(burn(7, 7))],
    ['does less', () => completeTransaction(burn())],
    ['is sent by another address', () => completeTransaction(burn(7), { sender: ATTACKER })],
    ['is paid for by the user', () => completeTransaction(burn(7), { owner: sender })],
    [
      'is paid for by another address than the answer names',
      () => completeTransaction(burn(7), { owner: sender, named: SPONSOR }),
    ],
  ])('gets no signature for a transaction that %s', async (_name, make) => {
    const result = await make();
    server.respond = () => ({ body: { result } });
    const call = station.sponsor({ transaction: burn(7), signer });
    await expect(call).rejects.toMatchObject({ code: 'BUILT_OTHER_TRANSACTION' });
    expect(requests).toEqual([]);
  });

  it('gets no signature if it names the sender as the sponsor of a reservation', async () => {
    const result = { sponsor_address: sender, reservation_id: 7, gas_coins: COINS };
    server.respond = () => ({ body: { result } });
    const call = station.sponsor({ transaction: burn(7), signer, gasBudget: 1 });
    await expect(call).rejects.toMatchObject({ code: 'BUILT_OTHER_TRANSACTION' });
    await server.untilReceived('/v1/release_gas');
    expect(requests).toEqual([]);
  });
});

describe('isSponsored', () => {
  const expected = async () => ({
    kind: await burn(7).build({ onlyTransactionKind: true }),
    sender,
    sponsor: SPONSOR,
  });

  it('is false for every transaction that is truncated before the end of the gas owner', async () => {
    const { tx_bytes } = (await completeTransaction(burn(7))) as { tx_bytes: string };
    const bytes = new Uint8Array(Buffer.from(tx_bytes, 'base64'));
    // Gas price, gas budget and expiration follow.
    const ownerEnd = bytes.length - 8 - 8 - 1;
    const wanted = await expected();
    for (let end = 0; end < bytes.length; end += 1) {
      expect([end, isSponsored(bytes.subarray(0, end), wanted)]).toEqual([end, end >= ownerEnd]);
    }
  });

  it('is false after a change of any byte before the gas payment or in the gas owner', async () => {
    const { tx_bytes } = (await completeTransaction(burn(7))) as { tx_bytes: string };
    const bytes = new Uint8Array(Buffer.from(tx_bytes, 'base64'));
    const wanted = await expected();
    const ownerEnd = bytes.length - 8 - 8 - 1;
    const paymentAt = 1 + wanted.kind.length + 32;
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = bytes.slice();
      changed[index] = bytes[index]! ^ 1;
      const matters = index <= paymentAt || (index >= ownerEnd - 32 && index < ownerEnd);
      expect([index, isSponsored(changed, wanted)]).toEqual([index, !matters]);
    }
  });

  it('accepts addresses of any length and case, and no others', async () => {
    const { tx_bytes } = (await completeTransaction(burn(7), { owner: '0xab' })) as {
      tx_bytes: string;
    };
    const bytes = new Uint8Array(Buffer.from(tx_bytes, 'base64'));
    for (const sponsor of ['0xab', '0xAB', `0x${'ab'.padStart(64, '0')}`]) {
      expect(isSponsored(bytes, { ...(await expected()), sponsor })).toBe(true);
    }
    for (const sponsor of ['ab', '0x', '0xg', `0x${'1'.repeat(65)}`]) {
      const wanted = { ...(await expected()), sponsor };
      expect(() => isSponsored(bytes, wanted)).toThrow(/^sponsor must be an address/);
    }
  });
});
