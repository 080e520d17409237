import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Transaction } from '@iota/iota-sdk/transactions';
import { verifyTransactionSignature } from '@iota/iota-sdk/verify';
import { GasStation, type GasStationError } from '../index.js';
import {
  answerHonestly,
  BUDGET,
  burn,
  COINS,
  sender,
  SPONSOR,
  user,
} from './honest-answers.test-support.js';
import { refusal, type Response, StandInGasStation } from './stand-in-gas-station.test-support.js';

const RESERVE = '/v1/reserve_gas';
const BUILD = '/v1/build_tx';
const EXECUTE = '/v1/execute_tx';
const RELEASE = '/v1/release_gas';

let server: StandInGasStation;
let station: GasStation;
/** Responses that replace the honest answer, by path. */
let instead: Record<string, Response>;
beforeEach(async () => {
  instead = {};
  server = await StandInGasStation.start();
  server.respond = async (request) =>
    instead[request.path] ?? { body: await answerHonestly(request) };
  station = new GasStation({ url: server.url, token: 'secret' });
});
afterEach(() => server.stop());

const kindOf = (transaction: Transaction) => transaction.build({ onlyTransactionKind: true });
const usual = () => ({ transaction: burn(7), signer: user, gasBudget: BUDGET });

/** The transaction in the request to execute, with a valid signature. */
async function executed() {
  const requests = server.requestsTo(EXECUTE);
  expect(requests).toHaveLength(1);
  const { tx_bytes, user_sig, reservation_id } = requests[0]!.body;
  const bytes = Buffer.from(String(tx_bytes), 'base64');
  await verifyTransactionSignature(bytes, String(user_sig), { address: sender });
  return { reservation_id, data: Transaction.from(bytes).getData() };
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('no error')),
    (error: unknown) => error as GasStationError,
  );

describe('sponsor', () => {
  it('reserves coins for a Transaction with a budget, and builds it here', async () => {
    const { digest } = await station.sponsor(usual());
    const { reservation_id, data } = await executed();
    expect(reservation_id).toBe(7);
    expect(data.sender).toBe(sender);
    expect(data.gasData).toMatchObject({ owner: SPONSOR, budget: String(BUDGET) });
    expect(data.gasData.payment).toEqual(
      COINS.map(({ version, ...coin }) => ({ ...coin, version: String(version) })),
    );
    expect(server.requestsTo(RESERVE)[0]!.body).toEqual({
      gas_budget: BUDGET,
      reserve_duration_secs: 60,
    });
    expect(digest).toMatch(/^\w{43,44}$/);
    expect(server.requestsTo(RELEASE)).toEqual([]);
  });

  it('asks the gas station to build a Transaction without a budget', async () => {
    await station.sponsor({ transaction: burn(7), signer: user, durationSecs: 300 });
    const { reservation_id, data } = await executed();
    expect([reservation_id, data.sender, data.gasData.owner]).toEqual([8, sender, SPONSOR]);
    const kind_bytes = Buffer.from(await kindOf(burn(7))).toString('base64');
    const wanted = { sender, kind_bytes, reserve_duration_secs: 300 };
    expect(server.requestsTo(BUILD).map(({ body }) => body)).toEqual([wanted]);
  });

  it('accepts the bytes of a kind, also in base64', async () => {
    const bytes = await kindOf(burn(7));
    for (const transaction of [bytes, Buffer.from(bytes).toString('base64')]) {
      server.clear();
      await station.sponsor({ transaction, signer: user, gasBudget: BUDGET });
      expect((await executed()).data.commands).toHaveLength(1);
      expect(server.requestsTo(BUILD)[0]!.body).toMatchObject({ gas_budget: BUDGET });
    }
  });

  it('accepts a function that makes the bytes for a reservation', async () => {
    await station.sponsor({
      gasBudget: BUDGET,
      signer: user,
      async transaction({ sponsorAddress, gasCoins }) {
        const transaction = burn(7);
        transaction.setSender(sender);
        transaction.setGasOwner(sponsorAddress);
        transaction.setGasPayment([...gasCoins]);
        transaction.setGasBudget(BUDGET);
        return transaction.build();
      },
    });
    expect((await executed()).reservation_id).toBe(7);
  });

  it('requires a budget for a function', async () => {
    const call = station.sponsor({ transaction: () => 'AQID', signer: user });
    await expect(call).rejects.toThrow(/^gasBudget is missing/);
    expect(server.requests).toEqual([]);
  });

  it('asks a wallet to sign, which returns bytes and signature or only the signature', async () => {
    for (const signTransaction of [
      (bytes: Uint8Array) => user.signTransaction(bytes),
      async (bytes: Uint8Array) => (await user.signTransaction(bytes)).signature,
    ]) {
      server.clear();
      await station.sponsor({ ...usual(), signer: { address: sender, signTransaction } });
      await executed();
    }
  });

  it('refuses the signature of a wallet that signed other bytes, before anything is executed', async () => {
    const signTransaction = async (bytes: Uint8Array) => {
      const { signature } = await user.signTransaction(bytes);
      return { signature, bytes: Buffer.from('another transaction').toString('base64') };
    };
    const call = station.sponsor({ ...usual(), signer: { address: sender, signTransaction } });
    expect(await failureOf(call)).toMatchObject({ code: 'SIGNED_OTHER_TRANSACTION' });
    await server.untilReceived(RELEASE);
    expect(server.requestsTo(EXECUTE)).toEqual([]);
  });

  it('returns a transaction that failed on the ledger', async () => {
    const status = { status: 'failure', error: 'MoveAbort(7)' };
    instead[EXECUTE] = { body: { effects: { status, transactionDigest: 'D1' }, error: null } };
    expect((await station.sponsor(usual())).effects.status).toEqual(status);
    expect(server.requestsTo(RELEASE)).toEqual([]);
  });
});

describe('coins of a transaction that is not executed', () => {
  const untilReleased = async () => {
    await server.untilReceived(RELEASE);
    expect(server.requestsTo(RELEASE)[0]!.body).toEqual({ reservation_id: 7 });
  };

  it('are released if the user does not sign', async () => {
    const refused = new Error('the user refused');
    const signer = { address: sender, signTransaction: () => Promise.reject(refused) };
    expect(await failureOf(station.sponsor({ ...usual(), signer }))).toBe(refused);
    await untilReleased();
    expect(server.requestsTo(EXECUTE)).toEqual([]);
  });

  it('are released if the signal aborts while the user decides', async () => {
    const controller = new AbortController();
    const reason = new Error('the page was left');
    const signTransaction = () => {
      controller.abort(reason);
      return new Promise<string>(() => undefined);
    };
    const signer = { address: sender, signTransaction };
    const call = station.sponsor({ ...usual(), signer, signal: controller.signal });
    expect(await failureOf(call)).toBe(reason);
    await untilReleased();
  });

  it('are released if the transaction cannot be built', async () => {
    const transaction = burn(7);
    transaction.object('0x1234');
    await expect(station.sponsor({ ...usual(), transaction })).rejects.toThrow(/No iota client/);
    await untilReleased();
  });

  it('are released if the gas station refuses it', async () => {
    instead[EXECUTE] = refusal(400, 'REFUSED_BY_LEDGER', 'Object is stale');
    expect(await failureOf(station.sponsor(usual()))).toMatchObject({ code: 'REFUSED_BY_LEDGER' });
    await untilReleased();
  });

  it('return at their deadline from a gas station without a route for release', async () => {
    instead[EXECUTE] = refusal(403, 'FORBIDDEN', 'Denied');
    instead[RELEASE] = refusal(404, 'NOT_FOUND', 'No such route');
    expect(await failureOf(station.sponsor(usual()))).toMatchObject({ code: 'FORBIDDEN' });
    await untilReleased();
  });

  it('are kept if the outcome is unknown, and the error contains the request to repeat', async () => {
    instead[EXECUTE] = refusal(503, 'OUTCOME_UNKNOWN', 'Not known yet', 60);
    const { pending } = await failureOf(station.sponsor(usual()));
    instead = {};
    server.clear();
    await station.execute(pending!);
    await executed();
    expect(server.requestsTo(RELEASE)).toEqual([]);
  });
});
