import { beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerNodes } from '@forecourt/ledger';
import type { IotaTransactionBlockResponse } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { publishPackage } from '../attacks/attacker.js';
import { buildSponsored, executeTx, reserved } from '../support/application.js';
import { buildCar, driveCar, scrapCar } from '../support/ledger-user.js';
import { readClockProgram } from '../support/raw-transaction.js';
import { buildTx, dryRunTx } from '../support/unpaid-transaction.js';
import { system } from '../support/systems/grpc-system.js';
import { withoutPure } from '../support/without-pure.js';

const IOTA = '0x2::iota::IOTA';
const BOB = `0x${'b0b'.padStart(64, '0')}`;
const PARTS = ['input', 'effects', 'events', 'objectChanges', 'balanceChanges'] as const;
const SHOWN = {
  showInput: true,
  showEffects: true,
  showEvents: true,
  showObjectChanges: true,
  showBalanceChanges: true,
};

/** The same node over gRPC. */
function overGrpc(): LedgerNodes {
  const { LEDGER_URL: url } = system.services('executor')[0]!.options.env;
  expect(url).toMatch(/^grpc:/);
  return new LedgerNodes({ urls: [url!], timeoutMs: 10_000 });
}

describe('a node over gRPC', () => {
  const signer = new Ed25519Keypair();
  const owner = signer.toIotaAddress();

  async function run(fill: (tx: Transaction) => void): Promise<IotaTransactionBlockResponse> {
    const transaction = new Transaction();
    fill(transaction);
    transaction.setGasBudgetIfNotSet(500_000_000n);
    const options = { showEffects: true };
    const { ledger } = system;
    const response = await ledger.signAndExecuteTransaction({ transaction, signer, options });
    await system.control.untilShown();
    return response;
  }

  const createdBy = ({ effects }: IotaTransactionBlockResponse) =>
    effects!.created!.map(({ reference }) => reference.objectId);

  beforeAll(async () => {
    await system.control.mint(owner, 900_000_000_000);
    await system.control.mint(owner, 100_000);
    const [car] = createdBy(await run((tx) => buildCar(tx, 'Coupé', owner)));
    await run((tx) => driveCar(tx, car!, 3));
    await run((tx) => void tx.transferObjects([tx.object(car!)], owner));
    await run((tx) => scrapCar(tx, car!));
    const [given] = createdBy(await run((tx) => buildCar(tx, 'Given', owner)));
    await run((tx) => tx.transferObjects([tx.object(given!)], BOB));
    const [frozen] = createdBy(await run((tx) => buildCar(tx, 'Frozen', owner)));
    await run((tx) => {
      const typeArguments = ['0xdec0::garage::Car'];
      const target = '0x2::transfer::public_freeze_object';
      tx.moveCall({ target, typeArguments, arguments: [tx.object(frozen!)] });
    });
    await run((tx) => {
      const coins = tx.splitCoins(tx.gas, [7, 8]);
      tx.mergeCoins(coins[0], [coins[1]]);
      tx.transferObjects([coins[0]], BOB);
    });
    await run((tx) => {
      tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.object('0x6')] });
    });
    await run((tx) => {
      const args = [tx.pure.u64(5), tx.pure.address(BOB)];
      tx.moveCall({ target: '0xdec0::token::mint', arguments: args });
    });
    // Every failure of devnet's engine that a signed transaction can reach.
    await run((tx) => {
      tx.moveCall({ target: '0xdec0::garage::fail', arguments: [tx.pure.u64(2n ** 63n)] });
    });
    await run((tx) => {
      tx.setGasBudget(2_000_000n);
      tx.moveCall({ target: '0xdec0::garage::burn', arguments: [tx.pure.u64(1_000_000)] });
    });
    await run((tx) => {
      tx.transferObjects([tx.splitCoins(tx.gas, [2n ** 63n])], BOB);
    });
    await run((tx) => void tx.splitCoins(tx.gas, [1]));
    await run((tx) => {
      tx.moveCall({ target: '0xdec0::garage::fail' });
    });
    await run((tx) => {
      tx.moveCall({ target: '0xdec0::garage::fail', arguments: [tx.pure.u8(1)] });
    });
    await run((tx) => {
      const coin = tx.splitCoins(tx.gas, [5]);
      const args = [coin, tx.pure.u64(6)];
      tx.moveCall({ target: '0x2::coin::split', typeArguments: [IOTA], arguments: args });
      tx.transferObjects([coin], BOB);
    });
    await run((tx) => publishPackage(tx, owner));
    await system.control.advanceEpoch();
    await system.control.untilShown();
  });

  it('shows every transaction of the ledger as over JSON-RPC, field by field', async () => {
    const grpc = overGrpc();
    const kinds = new Set<string>();
    let cursor: string | null | undefined;
    do {
      const page = await system.ledger.queryTransactionBlocks({ options: SHOWN, cursor });
      for (const expected of page.data) {
        // Devnet lists the objects of its genesis in another order than real nodes.
        if (expected.checkpoint === '0') continue;
        const { digest, transaction, ...rest } = expected;
        const response = await grpc.getTransaction(digest, PARTS);
        const { transaction: input, ...parts } = response as IotaTransactionBlockResponse;
        expect(withoutAge(parts)).toEqual(withoutAge({ digest, ...rest }));
        // Devnet encodes the ledger's own transactions as the SDK does, not as real nodes.
        if (!/^0x0+$/.test(transaction!.data.sender)) {
          expect(withoutPure(input)).toEqual(withoutPure(transaction));
        }
        for (const [name, value] of Object.entries(expected.effects!)) {
          kinds.add(name === 'status' ? JSON.stringify(value).replace(/\d+/g, '') : name);
        }
      }
      cursor = page.hasNextPage ? page.nextCursor : null;
    } while (cursor);
    // Each field, and each failure that the setup causes.
    for (const name of ['created', 'mutated', 'deleted', 'sharedObjects', 'eventsDigest']) {
      expect(kinds).toContain(name);
    }
    expect([...kinds].filter((name) => name.includes('failure')).length).toBeGreaterThanOrEqual(7);
  });

  it('executes and simulates with the effects that JSON-RPC shows', async () => {
    const { application, ledger } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    const requestType = 'waitForLocalExecution';
    const answer = await executeTx(application, reservation, transaction, { requestType });
    expect(answer.body.error).toBeNull();
    await system.control.untilShown();
    const { digest } = transaction;
    const response = await ledger.getTransactionBlock({ digest, options: { showEffects: true } });
    expect(answer.body.effects).toEqual(response.effects);
    expect(response.checkpoint).toBeDefined();
    const next = new Transaction();
    next.setSender(owner);
    buildCar(next, 'Dry', owner);
    const transactionBlock = await next.build({ client: ledger });
    const grpc = await overGrpc().dryRun(transactionBlock);
    const json = await ledger.dryRunTransactionBlock({ transactionBlock });
    const { effects, events, objectChanges, balanceChanges } = json;
    expect(grpc).toMatchObject({ effects, objectChanges, balanceChanges });
    const eventsOverGrpc = grpc.events as readonly object[];
    expect(eventsOverGrpc.map(withoutTime)).toEqual(events.map(withoutTime));
  });

  it('dry-runs and builds transactions without payment, with their own digest', async () => {
    const { application } = system;
    const dryRun = await dryRunTx(application, signer, readClockProgram());
    expect(dryRun).toMatchObject({ status: 200, body: { result: { gas: expect.anything() } } });
    expect((await buildTx(application, signer, readClockProgram())).status).toBe(200);
    const unpaid = new Transaction();
    unpaid.setSender(owner);
    unpaid.setGasPayment([]);
    unpaid.setGasPrice(1_000);
    unpaid.setGasBudget(10_000_000);
    unpaid.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [unpaid.object('0x6')] });
    const transactionBlock = await unpaid.build({ client: system.ledger });
    const grpc = await overGrpc().dryRun(transactionBlock);
    const json = await system.ledger.dryRunTransactionBlock({ transactionBlock });
    const { transactionDigest, status, gasUsed } = json.effects;
    expect(grpc.effects).toMatchObject({ transactionDigest, status, gasUsed });
    expect(grpc.balanceChanges).toEqual(json.balanceChanges);
  });

  it('sponsors without a loss, and the pool agrees with the ledger', async () => {
    await system.untilFilled();
    expect(await system.differences()).toEqual([]);
  });
});

/**
 * Over JSON-RPC, devnet answers as nodes of 2025: it lists deleted objects, and failures have the debugging
 * format of the node's language.
 */
function withoutAge(response: Partial<IotaTransactionBlockResponse>): object {
  const { effects, objectChanges, ...rest } = response;
  const { status, ...others } = effects!;
  expect(status.error === undefined).toBe(status.status === 'success');
  return withoutTime({
    ...rest,
    effects: { ...others, status: status.status },
    objectChanges: objectChanges!.filter(({ type }) => type !== 'deleted'),
  });
}

/** Nodes add these to reads from their index. */
function withoutTime<T extends object>(response: T): object {
  const { events } = response as { events?: object[] };
  return {
    ...response,
    timestampMs: undefined,
    ...(events && { events: events.map(withoutTime) }),
  };
}
