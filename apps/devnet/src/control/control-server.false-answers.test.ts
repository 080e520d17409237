import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MISREPORT_PRESETS, REFUSAL_PRESETS } from '../faults/refusal-presets.js';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';
import { countersOf, signedTransfer } from '../testing/signed-transfer.test-support.js';

const EXECUTE = 'iota_executeTransactionBlock';

describe('false answers', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterEach(() => devnet.control('DELETE', '/faults'));
  afterAll(() => devnet.stop());

  const isExecuted = (digest: string) => devnet.engine.getTransaction(digest) !== null;
  const submit = async (params: readonly unknown[]) => {
    const answer = await fetch(devnet.urls.rpc, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: EXECUTE, params }),
    });
    const text = await answer.text();
    return { status: answer.status, text };
  };
  const errorOf = async (params: readonly unknown[]) => {
    const { result, error } = await devnet.rpc(EXECUTE, params);
    return error ?? { code: 0, message: JSON.stringify(result) };
  };
  const untilExecuted = async (digest: string) => {
    while (!isExecuted(digest)) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it.each(Object.keys(MISREPORT_PRESETS) as (keyof typeof MISREPORT_PRESETS)[])(
    'executes a transaction and answers with the preset %s once (misreport)',
    async (preset) => {
      const { digest, params } = await signedTransfer(devnet);
      await devnet.setFault({ kind: 'misreport', preset, times: 1 });
      const expected = MISREPORT_PRESETS[preset];
      if ('status' in expected) {
        expect(await submit(params)).toEqual({ status: expected.status, text: expected.body });
      } else {
        expect(await errorOf(params)).toMatchObject({ code: expected.code });
      }
      expect(isExecuted(digest)).toBe(true);
      expect((await submit(params)).text).toContain(`"digest":"${digest}"`);
      expect((await countersOf(devnet)).submissions[digest]).toBe(2);
    },
  );

  it('answers with the node’s texts and data, and with any error of the caller (misreport)', async () => {
    const [first, second] = [await signedTransfer(devnet), await signedTransfer(devnet)];
    await devnet.setFault({ kind: 'misreport', preset: 'stale', times: 1 });
    expect((await errorOf(first.params)).message).toContain(first.coin.objectId);
    await devnet.setFault({ kind: 'misreport', code: -32602, message: 'bad {digest}', times: 1 });
    expect(await errorOf(second.params)).toEqual({
      code: -32602,
      message: `bad ${second.digest}`,
    });
    expect([first, second].every(({ digest }) => isExecuted(digest))).toBe(true);
  });

  it('leaves a true refusal unchanged (misreport)', async () => {
    const { digest, params, sender } = await signedTransfer(devnet);
    const other = await signedTransfer(devnet, sender, 2);
    expect((await submit(params)).text).toContain(digest);
    await devnet.setFault({ kind: 'misreport', preset: 'deadline', times: 1 });
    expect(await errorOf(other.params)).toMatchObject({ code: -32002 });
    expect(isExecuted(other.digest)).toBe(false);
  });

  it.each(['timeout', 'no-finality', 'gateway-timeout', 'dropped'])(
    'answers %s first, then refuses until the transaction lands (refuseMeanwhile)',
    async (first) => {
      const { digest, params } = await signedTransfer(devnet);
      const fault = { kind: 'refuseMeanwhile', preset: 'low-balance', afterMs: 400, times: 1 };
      await devnet.setFault({ ...fault, first });
      const answer = await submit(params).catch(() => ({ status: 0, text: 'dropped' }));
      const seen = { timeout: 200, 'no-finality': 200, 'gateway-timeout': 504, dropped: 0 };
      expect(answer.status).toBe(seen[first as keyof typeof seen]);
      if (answer.status === 200) expect(answer.text).toContain('-32050');

      expect(await errorOf(params)).toMatchObject({
        code: -32002,
        message: expect.stringContaining(REFUSAL_PRESETS['low-balance'].message),
      });
      expect(isExecuted(digest)).toBe(false);
      await untilExecuted(digest);
      expect((await submit(params)).text).toContain(`"digest":"${digest}"`);
      expect((await countersOf(devnet)).submissions[digest]).toBe(3);
    },
  );

  it('affects one transaction only, which keeps its locks (refuseMeanwhile)', async () => {
    const slow = await signedTransfer(devnet);
    const rival = await signedTransfer(devnet, slow.sender, 2);
    const other = await signedTransfer(devnet);
    await devnet.setFault({ kind: 'refuseMeanwhile', preset: 'gas-price', afterMs: 400, times: 1 });
    await submit(slow.params);
    expect((await errorOf(rival.params)).message).toContain('reserved for another transaction');
    expect((await submit(other.params)).text).toContain(other.digest);
    await untilExecuted(slow.digest);
  });

  it('stops refusing when the transaction can no longer land (refuseMeanwhile)', async () => {
    const { digest, params, sender } = await signedTransfer(devnet);
    const other = await signedTransfer(devnet, sender, 2);
    await devnet.setFault({
      kind: 'refuseMeanwhile',
      preset: 'gas-price',
      afterMs: 2_000,
      times: 1,
    });
    await submit(params);
    await devnet.control('POST', '/epoch');
    expect((await submit(other.params)).text).toContain(other.digest);
    let message = '';
    while (!message.includes('not available for consumption')) {
      ({ message } = await errorOf(params));
    }
    expect(isExecuted(digest)).toBe(false);
  });

  it('gives a call the answer of the one before it, of the same method (mixAnswers)', async () => {
    const transfers = [await signedTransfer(devnet), await signedTransfer(devnet)] as const;
    await devnet.setFault({ kind: 'mixAnswers', method: EXECUTE, times: 1 });
    const answers = [await submit(transfers[0].params), await submit(transfers[1].params)];
    for (const { text } of answers) expect(text).toContain(`"digest":"${transfers[0].digest}"`);
    expect(transfers.every(({ digest }) => isExecuted(digest))).toBe(true);
    expect((await submit(transfers[1].params)).text).toContain(`"digest":"${transfers[1].digest}"`);
  });

  it('names a cost above 64 bits in effects (outOfRange)', async () => {
    const transfer = await signedTransfer(devnet);
    const params = [...transfer.params, { showEffects: true }];
    await devnet.setFault({ kind: 'outOfRange', times: 1 });
    expect((await submit(params)).text).toContain('"storageCost":"18446744073709551616"');
    expect((await submit(params)).text).not.toContain('18446744073709551616');
  });

  it('executes a transaction, and answers without an end (endless)', async () => {
    const { digest, params } = await signedTransfer(devnet);
    await devnet.setFault({ kind: 'endless', times: 1 });
    const { body } = await fetch(devnet.urls.rpc, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: EXECUTE, params }),
    });
    let bytes = 0;
    for await (const chunk of body! as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > 10 * 2 ** 20) break;
    }
    expect(bytes).toBeGreaterThan(10 * 2 ** 20);
    expect(isExecuted(digest)).toBe(true);
  });
});
