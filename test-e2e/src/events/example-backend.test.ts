import { GasStation } from '@forecourt/client';
import { createBackend } from '@forecourt/example/backend';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readClock } from '../support/application.js';
import { system } from '../support/systems/events-system.js';
import { buildCar } from '../support/ledger-user.js';

describe('the backend of the example', () => {
  let backend: ReturnType<typeof createBackend>;
  /** A client without a token, like the page. */
  let station: GasStation;

  beforeAll(async () => {
    const { url, token } = system.application;
    backend = createBackend({ gasStationUrl: url, token });
    const backendUrl = await backend.listen({ host: '127.0.0.1', port: 0 });
    station = new GasStation({ url: `${backendUrl}/gas` });
  });
  afterAll(() => backend.close());

  function building(owner: string): Transaction {
    const transaction = new Transaction();
    buildCar(transaction, 'Roadster', owner);
    return transaction;
  }

  it('sponsors a visitor’s transactions up to the limit, and then reports that it is reached', async () => {
    const signer = new Ed25519Keypair();
    const owner = signer.toIotaAddress();
    for (let count = 0; count < 3; count++) {
      const { effects } = await station.sponsor({ transaction: building(owner), signer });
      expect(effects.status).toEqual({ status: 'success' });
      expect(effects.gasObject.owner).toEqual({ AddressOwner: system.sponsor });
    }
    await expect(station.sponsor({ transaction: building(owner), signer })).rejects.toMatchObject({
      code: 'VISITOR_LIMIT',
      message: expect.stringContaining('You have had your 3 sponsored transactions'),
    });
    expect((await system.ledger.getAllCoins({ owner })).data).toEqual([]);
  });

  it('does not sponsor other transactions, or lend its coins', async () => {
    const thief = new Ed25519Keypair();
    const sender = thief.toIotaAddress();
    const clock = new Transaction();
    readClock(clock);
    const request = { transaction: clock, client: system.ledger, signer: thief };
    await expect(station.sponsor(request)).rejects.toMatchObject({ code: 'NOT_SPONSORED' });

    const kind = await building(sender).build({ onlyTransactionKind: true });
    const { bytes, reservationId } = await station.build({ sender, kind });
    const { gasData } = Transaction.from(bytes).getData();
    const other = new Transaction();
    readClock(other);
    other.setSender(sender);
    other.setGasOwner(gasData.owner!);
    other.setGasPayment(gasData.payment!);
    other.setGasBudget(Number(gasData.budget));
    const transaction = await other.build({ client: system.ledger });
    const { signature } = await thief.signTransaction(transaction);
    const stolen = station.execute({ reservationId, transaction, signature });
    await expect(stolen).rejects.toMatchObject({ code: 'NOT_BUILT_HERE' });
    expect(
      await system.control.submissionsOf(await Transaction.from(transaction).getDigest()),
    ).toBe(0);

    const { signature: own } = await thief.signTransaction(bytes);
    const { effects } = await station.execute({
      reservationId,
      transaction: bytes,
      signature: own,
    });
    expect(effects.status).toEqual({ status: 'success' });
  });
});
