import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventPage } from '@forecourt/contracts';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

let folder: string;
let running: TestDevnet[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-'));
});
afterEach(async () => {
  await Promise.all(running.map((devnet) => devnet.stop()));
  running = [];
  rmSync(folder, { recursive: true });
});

async function start(env: Record<string, string> = {}): Promise<TestDevnet> {
  const devnet = await startTestDevnet({ DEVNET_DATA_DIR: folder, ...env });
  running.push(devnet);
  return devnet;
}

async function stop(devnet: TestDevnet): Promise<void> {
  running = running.filter((one) => one !== devnet);
  await devnet.stop();
}

/** Reads the clock, increments the counter, and makes a coin: shared and owned objects, events, time. */
async function live(devnet: TestDevnet, signer: Ed25519Keypair): Promise<void> {
  const { packageId, counterId } = devnet.engine.demo;
  const transaction = new Transaction();
  transaction.moveCall({
    target: '0x2::clock::timestamp_ms',
    arguments: [transaction.object('0x6')],
  });
  const args = [transaction.object(counterId)];
  transaction.moveCall({ target: `${packageId}::garage::count`, arguments: args });
  transaction.transferObjects([transaction.splitCoins(transaction.gas, [7])], '0xb0b');
  await devnet.client.signAndExecuteTransaction({ transaction, signer });
}

async function stateOf(devnet: TestDevnet) {
  await devnet.control('POST', '/node', { version: '2022' });
  const { result } = await devnet.rpc('ledger_getEvents', ['All', null, 1_000]);
  const { engine } = devnet;
  const { data } = result as EventPage;
  return {
    chain: engine.chainIdentifier,
    events: data,
    checkpoint: engine.latestCheckpoint,
    system: engine.systemState(),
    clock: engine.getObject('0x6'),
    counter: engine.getObject(engine.demo.counterId),
    bob: engine.listOwnedObjects('0xb0b', { limit: 100 }).data.map(({ reference }) => reference),
  };
}

describe('ledger with a data folder', () => {
  it('is restored after a restart and continues', async () => {
    const first = await start();
    const key = await first.fundedKey();
    await live(first, key);
    await first.control('POST', '/gas-price', { price: 1_200 });
    await first.control('POST', '/epoch', {});
    await live(first, key);
    const before = await stateOf(first);
    expect(before.events.length).toBeGreaterThan(20);
    await stop(first);

    const second = await start();
    expect(await stateOf(second)).toEqual(before);
    await live(second, key);
    const after = await stateOf(second);
    expect(after.events.slice(0, before.events.length)).toEqual(before.events);
    expect(after.events.length).toBeGreaterThan(before.events.length);
    await stop(second);
    expect(await stateOf(await start())).toEqual(after);
  });

  it('has the same checkpoints after a restart, empty ones included', async () => {
    const first = await start();
    const key = await first.fundedKey();
    first.engine.sealCheckpoint(true);
    await live(first, key);
    first.engine.sealCheckpoint(true);
    const before = await stateOf(first);
    await stop(first);
    expect(await stateOf(await start())).toEqual(before);
  });

  it('derives events again that were not stored before the process ended', async () => {
    const first = await start();
    await live(first, await first.fundedKey());
    const before = await stateOf(first);
    await stop(first);
    for (const suffix of ['', '-wal', '-shm']) {
      rmSync(join(folder, `ledger-events.sqlite${suffix}`), { force: true });
    }
    expect(await stateOf(await start())).toEqual(before);
  });

  it('refuses to start with settings of a different ledger', async () => {
    await stop(await start({ DEVNET_SEED: 'one' }));
    await expect(start({ DEVNET_SEED: 'two' })).rejects.toThrow(
      /contains a ledger with a different DEVNET_SEED/,
    );
    await start({ DEVNET_SEED: 'one' });
  });
});
