import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';
import { countersOf, signedTransfer } from '../testing/signed-transfer.test-support.js';

describe('faults of the control interface', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterEach(() => devnet.control('DELETE', '/faults'));
  afterAll(() => devnet.stop());

  const isExecuted = (digest: string) => devnet.engine.getTransaction(digest) !== null;

  it('delay one method the given number of times', async () => {
    await devnet.setFault({
      kind: 'latency',
      ms: 2_000,
      method: 'iota_getChainIdentifier',
      times: 1,
    });
    const time = async () => {
      const start = performance.now();
      await devnet.client.getChainIdentifier();
      return performance.now() - start;
    };
    await devnet.client.getReferenceGasPrice();
    expect(await time()).toBeGreaterThanOrEqual(1_950);
    expect(await time()).toBeLessThan(1_900);
  });

  it('delay every method within a range', async () => {
    await devnet.setFault({ kind: 'latency', minMs: 30, maxMs: 60 });
    const start = performance.now();
    await devnet.client.getReferenceGasPrice();
    await devnet.client.getChainIdentifier();
    expect(performance.now() - start).toBeGreaterThanOrEqual(58);
  });

  it('lose the reply of a transaction that executed', async () => {
    const { digest, submit } = await signedTransfer(devnet);
    await devnet.setFault({ kind: 'loseReply', times: 1 });
    await expect(submit()).rejects.toThrow('fetch failed');
    expect(isExecuted(digest)).toBe(true);
    expect((await submit()).digest).toBe(digest);
    expect((await countersOf(devnet)).submissions[digest]).toBe(2);
  });

  it.each([
    ['locked', -32002, 'reserved for another transaction. Other transactions locking'],
    ['equivocated', -32002, 'equivocated until the next epoch'],
    ['stale', -32002, 'is not available for consumption, current version'],
    ['missing', -32002, 'Could not find the referenced object'],
    ['low-balance', -32002, 'is lower than the needed amount'],
    ['gas-price', -32002, 'under reference gas price (RGP)'],
    ['bad-signature', -32002, 'Invalid user signature: Signature is not valid'],
    ['absent-signature', -32002, 'Required Signature from 0x'],
    ['different-signatures', -32002, 'already finalized but with different user signatures'],
    ['internal', -32603, 'Internal error occurred while executing transaction.'],
  ])('refuse before execution: %s', async (preset, code, part) => {
    const { digest, submit } = await signedTransfer(devnet);
    await devnet.setFault({ kind: 'refuse', preset, times: 1 });
    await expect(submit()).rejects.toMatchObject({
      code,
      message: expect.stringContaining(part),
    });
    expect(isExecuted(digest)).toBe(false);
    expect((await countersOf(devnet)).submissions[digest]).toBe(1);
    expect((await submit()).digest).toBe(digest);
  });

  it("name the transaction's gas coin in a stale refusal", async () => {
    const { submit, coin } = await signedTransfer(devnet);
    await devnet.setFault({ kind: 'refuse', preset: 'stale' });
    await expect(submit()).rejects.toThrow(
      `Object ID ${coin.objectId} Version 0x${Number(coin.version).toString(16)} Digest ${coin.digest}`,
    );
  });

  it('refuse any method with any code and message', async () => {
    const method = 'iotax_getReferenceGasPrice';
    await devnet.setFault({ kind: 'refuse', method, code: -32000, message: 'busy', times: 1 });
    await expect(devnet.client.getReferenceGasPrice()).rejects.toMatchObject({
      code: -32000,
      message: 'busy',
    });
    expect(await devnet.client.getReferenceGasPrice()).toBe(1000n);
  });

  it('fail transiently before and after execution', async () => {
    for (const when of ['before', 'after']) {
      const { digest, submit } = await signedTransfer(devnet);
      await devnet.setFault({ kind: 'transient', when, times: 1 });
      await expect(submit()).rejects.toMatchObject({
        code: -32050,
        message: 'Transaction timed out before reaching finality',
      });
      expect(isExecuted(digest)).toBe(when === 'after');
    }
  });

  it('execute a transaction after its submitter gave up', async () => {
    const { digest, submit } = await signedTransfer(devnet);
    const afterMs = 30;
    await devnet.setFault({ kind: 'transient', when: 'later', afterMs, times: 1 });
    const submittedAt = Date.now();
    await expect(submit()).rejects.toMatchObject({ code: -32050 });
    const landed = await devnet.client.waitForTransaction({ digest, pollInterval: 10 });
    expect(Number(landed.timestampMs)).toBeGreaterThanOrEqual(submittedAt + afterMs);
  });

  it('keep the locks of a transaction until it is submitted again', async () => {
    const first = await signedTransfer(devnet);
    await devnet.setFault({ kind: 'transient', when: 'never', times: 1 });
    await expect(first.submit()).rejects.toMatchObject({ code: -32050 });
    const rival = await signedTransfer(devnet, first.sender);
    await expect(rival.submit()).rejects.toMatchObject({
      code: -32002,
      message: expect.stringContaining(first.digest),
    });
    expect((await first.submit()).digest).toBe(first.digest);
  });

  it.each([{ checkpoints: 1 }, { ms: 3_600_000 }])('delay reads: %j', async (lag) => {
    const { digest, submit, coin, sender } = await signedTransfer(devnet);
    const owner = sender.toIotaAddress();
    const read = async () => ({
      coins: (await devnet.client.getCoins({ owner })).data,
      balance: await devnet.client.getBalance({ owner }),
      object: await devnet.client.getObject({ id: coin.objectId, options: { showBcs: true } }),
      owned: (await devnet.client.getOwnedObjects({ owner })).data,
    });
    const before = await read();
    await submit();
    const after = await read();
    expect(after).not.toEqual(before);

    await devnet.setFault({ kind: 'lag', ...lag });
    if ('checkpoints' in lag) {
      expect(await read()).toEqual(before);
      const newest = await devnet.client.queryTransactionBlocks({
        order: 'descending',
        limit: 1,
      });
      expect(newest.data[0]?.digest).not.toBe(digest);
    } else {
      expect((await read()).coins).toEqual([]);
    }
    await expect(devnet.client.getTransactionBlock({ digest })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Could not find the referenced transaction'),
    });

    await devnet.control('DELETE', '/faults');
    expect(await read()).toEqual(after);
    expect((await devnet.client.getTransactionBlock({ digest })).digest).toBe(digest);
  });

  it.each(['refuse', 'reset'])('take the node down and up again: %s', async (mode) => {
    const before = await devnet.client.getChainIdentifier();
    const id = await devnet.setFault({ kind: 'down', mode });
    await expect(devnet.client.getChainIdentifier()).rejects.toThrow('fetch failed');
    await expect(fetch(`${devnet.urls.rpc}/health/live`)).rejects.toThrow();
    await devnet.control('DELETE', `/faults/${id}`);
    expect(await devnet.client.getChainIdentifier()).toBe(before);
  });

  it('end when their time is over', async () => {
    const [setAt, forMs] = [performance.now(), 40];
    await devnet.setFault({ kind: 'down', forMs });
    const answered = async (): Promise<string> =>
      devnet.client.getChainIdentifier().catch(() => answered());
    expect(await answered()).toBe(devnet.chainIdentifier);
    expect(performance.now() - setAt).toBeGreaterThanOrEqual(forMs);
    expect(await devnet.control('GET', '/faults')).toEqual({ faults: [] });
  });

  it('are listed with hits and cleared by id', async () => {
    const id = await devnet.setFault({ kind: 'latency', ms: 0, times: 5 });
    await devnet.client.getChainIdentifier();
    expect(await devnet.control('GET', '/faults')).toEqual({
      faults: [{ id, kind: 'latency', minMs: 0, maxMs: 0, when: 'before', remaining: 4, hits: 1 }],
    });
    await devnet.control('DELETE', `/faults/${id}`);
    await devnet.control('DELETE', `/faults/${id}`, undefined, 404);
    expect(await devnet.control('GET', '/faults')).toEqual({ faults: [] });
  });
});
