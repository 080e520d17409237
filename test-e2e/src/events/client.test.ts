import {
  type EventCriterion as ClientCriterion,
  type EventFilter,
  GasStation,
  LedgerEvents,
  type RefusalCode,
  type StoredEventRecord as ClientRecord,
} from '@forecourt/client';
import { digestInBase64, type ErrorCode, type StoredEventRecord } from '@forecourt/contracts';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { GARAGE, system } from '../support/systems/events-system.js';
import { buildCar } from '../support/ledger-user.js';

const CAR_BUILT = `${GARAGE}::garage::CarBuilt`;
const GAS_BUDGET = 20_000_000;

describe('the client', () => {
  /** Has no coins. */
  const signer = new Ed25519Keypair();
  const address = signer.toIotaAddress();
  let station: GasStation;
  let events: LedgerEvents;

  beforeAll(() => {
    const { url, token } = system.application;
    station = new GasStation({ url, token });
    events = new LedgerEvents({ url });
  });

  function building(model: string): Transaction {
    const transaction = new Transaction();
    buildCar(transaction, model, address);
    return transaction;
  }

  const sponsor = (transaction: Transaction) =>
    station.sponsor({ transaction, client: system.ledger, signer, gasBudget: GAS_BUDGET });

  /** Collects the events of cars that the user builds from now on. */
  async function followCars() {
    const { data } = await events.readPage('All', { descending: true, pageSize: 1 });
    const filter: EventFilter = { And: [{ MoveEventType: CAR_BUILT }, { SenderAddress: address }] };
    return events.subscribe(filter, { from: data[0]!.id });
  }

  /** Reads the next events of a subscription, then ends it. */
  async function take(subscription: AsyncIterable<ClientRecord>, count: number) {
    const records: ClientRecord[] = [];
    for await (const record of subscription) {
      if (records.push(record) === count) break;
    }
    return records;
  }

  it('sponsors a transaction, whose event a subscription and a query deliver', async () => {
    const subscription = await followCars();
    const { digest, effects } = await sponsor(building('Mini'));
    expect(effects.status).toEqual({ status: 'success' });
    const [record] = await take(subscription, 1);
    expect(record).toMatchObject({
      txDigest: digestInBase64(digest),
      event: { moveEvent: { type: CAR_BUILT, sender: address } },
    });
    const found: ClientRecord[] = [];
    for await (const one of events.query({ Transaction: digest }, { pageSize: 1 })) found.push(one);
    expect(found.length).toBeGreaterThan(1);
    expect(found).toContainEqual(record);
  });

  it('gets the same answer when it executes a transaction again', async () => {
    const { reservationId, sponsorAddress, gasCoins } = await station.reserve({
      gasBudget: GAS_BUDGET,
      durationSecs: 60,
    });
    const transaction = building('Golf');
    transaction.setSender(address);
    transaction.setGasOwner(sponsorAddress);
    transaction.setGasPayment([...gasCoins]);
    transaction.setGasBudget(GAS_BUDGET);
    const { bytes, signature } = await signer.signTransaction(
      await transaction.build({ client: system.ledger }),
    );
    const request = { reservationId, transaction: bytes, signature };
    const answers = [await station.execute(request), await station.execute(request)];
    expect(answers[1]).toEqual(answers[0]);
    expect(await system.control.submissionsOf(answers[0]!.digest)).toBe(1);
  });

  it('reports the reason of a refusal', async () => {
    const { url } = system.application;
    const stranger = new GasStation({ url, token: 'not-a-token' });
    const request = { gasBudget: GAS_BUDGET, durationSecs: 60 };
    await expect(stranger.reserve(request)).rejects.toMatchObject({
      name: 'GasStationError',
      status: 401,
      message: 'Invalid authorization token',
    });
    await expect(station.reserve({ ...request, gasBudget: 0 })).rejects.toMatchObject({
      status: 400,
      message: 'gas_budget must be an integer from 1 to 1999999999; got 0',
    });
    await expect(events.readPage({ Object: 'x' })).rejects.toMatchObject({
      name: 'LedgerEventsError',
      code: 'INVALID_PARAMS',
    });
  });

  it('knows the version of the gas station', async () => {
    expect((await station.status()).version).toMatch(/^\d+\.\d+\.\d+-/);
  });

  it('has the same errors and events as the services', () => {
    const refusals: IsPartOf<RefusalCode, ErrorCode> = true;
    const sent: IsPartOf<StoredEventRecord, ClientRecord> = true;
    const received: IsPartOf<ClientRecord, StoredEventRecord> = true;
    expect([refusals, sent, received]).toEqual([true, true, true]);
  });

  it('gets an answer to every kind of request', async () => {
    const criteria: ClientCriterion[] = [
      'All',
      { Transaction: (await sponsor(building('Polo'))).digest },
      { MoveModule: { package: '0xdec0', module: 'garage' } },
      { MoveEvent: CAR_BUILT },
      { EventType: 'NewObject' },
      { Sender: address },
      { Recipient: { AddressOwner: address } },
      { Object: '0x6' },
      { TimeRange: { startTime: 0, endTime: Date.now() } },
    ];
    for (const criterion of criteria) {
      const { data } = await events.readPage(criterion, { pageSize: 1 });
      expect([criterion, data.length]).toEqual([criterion, expect.any(Number)]);
    }
    const filters: EventFilter[] = [
      { Package: '0xdec0' },
      { Module: 'garage' },
      { MoveEventField: { path: '/model', value: 'Polo' } },
      { ObjectId: '0x6' },
      { Or: [{ EventType: 'Publish' }, { EventType: 'Checkpoint' }] },
      { All: [{ Module: 'garage' }] },
    ];
    const subscription = events.subscribe({ Any: [filters[0]!, ...filters] }, { from: 0 });
    expect((await take(subscription, 1))[0]!.id).toBeDefined();
  });

  it('continues when its gateway restarts: nothing is executed twice, and no event is missed', async () => {
    const subscription = await followCars();
    const digests = [(await sponsor(building('Panda'))).digest];
    const received = [(await subscription.next()).value.txDigest];
    const reservation = await station.reserve({ gasBudget: GAS_BUDGET, durationSecs: 60 });
    const transaction = building('Fiat');
    transaction.setSender(address);
    transaction.setGasOwner(reservation.sponsorAddress);
    transaction.setGasPayment([...reservation.gasCoins]);
    transaction.setGasBudget(GAS_BUDGET);
    const bytes = await transaction.build({ client: system.ledger });
    const { signature } = await signer.signTransaction(bytes);
    const { reservationId } = reservation;
    const [executed] = await Promise.all([
      station.execute({ reservationId, transaction: bytes, signature }),
      system.restart('gateway'),
    ]);
    digests.push(executed.digest, (await sponsor(building('Uno'))).digest);
    const others = await take(subscription, digests.length - 1);
    received.push(...others.map(({ txDigest }) => txDigest));
    expect(received).toEqual(digests.map(digestInBase64));
    expect(await system.control.submissionsOf(executed.digest)).toBe(1);
  });
});

type IsPartOf<A, B> = [A] extends [B] ? true : never;
