import { afterEach, describe, expect, it } from '@jest/globals';
import { LedgerUnreachable } from '../ledger-unreachable.js';
import { createIotaLedger } from './create-iota-ledger.js';
import { transactionDigest } from './transactions/decoding/transaction-digest.js';
import { someEffects } from './transactions/effects.test-support.js';
import { FIRST_PROTOCOL_WITHOUT_CERTIFICATES } from './limits.js';
import { type Response, StandInNode } from './nodes/stand-in-node.test-support.js';
import { LedgerNodes } from './nodes/ledger-nodes.js';
import { readStatus } from './nodes/ledger-status.js';

const started: StandInNode[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((node) => node.stop()));
});

async function aNode(respond: (method: string) => Response): Promise<string> {
  const node = await StandInNode.start(({ method }) => respond(method));
  started.push(node);
  return node.url;
}

async function onNetwork(chain: string): Promise<string> {
  const node = await StandInNode.start(() => ({ result: [] }), chain);
  started.push(node);
  return node.url;
}

const state = (epoch: number, protocolVersion = 1) => ({
  epoch: String(epoch),
  protocolVersion: String(protocolVersion),
  referenceGasPrice: '1000',
  epochStartTimestampMs: '5000',
  epochDurationMs: String(10 ** 15),
  activeValidators: [],
});

describe('createIotaLedger', () => {
  it('requires all nodes to be on one network', async () => {
    const [one, same, other] = [
      await onNetwork('a1b2c3d4'),
      await onNetwork('a1b2c3d4'),
      await onNetwork('f00df00d'),
    ];
    const chainOf = (readUrls: string[]) =>
      createIotaLedger({ urls: [one], readUrls }).chainIdentifier();
    expect(await chainOf([])).toBe('a1b2c3d4');
    expect(await chainOf([same])).toBe('a1b2c3d4');
    await expect(chainOf([other])).rejects.toBeInstanceOf(LedgerUnreachable);
  });

  it('requires nodes for submissions and nodes for reads to be on one network', async () => {
    const [ours, other] = [await onNetwork('a1b2c3d4'), await onNetwork('f00df00d')];
    const findNetwork = async () => 'a1b2c3d4';
    const text = 'it is on network f00df00d, not a1b2c3d4';
    const reader = createIotaLedger({ urls: [ours], readUrls: [other], findNetwork });
    await expect(reader.readGasCoins('0x1', [{ objectId: '0x2', version: 1 }])).rejects.toThrow(
      text,
    );
    const writer = createIotaLedger({ urls: [other], readUrls: [ours], findNetwork });
    const message = expect.stringContaining(text);
    expect(await writer.submit(Uint8Array.of(1), [])).toEqual({ kind: 'unknown', message });
    await expect(writer.status()).rejects.toThrow(text);
  });

  it('accepts only addresses of up to 32 bytes in hex', () => {
    const ledger = createIotaLedger({ urls: ['http://127.0.0.1:1'] });
    expect(ledger.normalizeAddress('0xA')).toBe(`0x${'a'.padStart(64, '0')}`);
    for (const text of ['0x', 'a', `0x${'a'.repeat(65)}`, '0xg', ' 0x1']) {
      expect(() => ledger.normalizeAddress(text)).toThrow(TypeError);
    }
  });

  it('learns of a later epoch from a transaction that was executed in it', async () => {
    const bytes = Uint8Array.of(1);
    let epoch = 7;
    const url = await aNode((method) => {
      if (method === 'iota_getProtocolConfig') return { result: { attributes: {} } };
      if (method !== 'iota_executeTransactionBlock') return { result: state(epoch) };
      const changes = { executedEpoch: String(epoch), transactionDigest: transactionDigest(bytes) };
      return { result: { effects: someEffects(changes) } };
    });
    const ledger = createIotaLedger({ urls: [url] });
    const status = async () => (await ledger.status()).epoch;
    expect(await status()).toBe(7n);
    epoch = 8;
    expect(await status()).toBe(7n);
    await ledger.submit(bytes, ['user', 'sponsor']);
    expect(await status()).toBe(8n);
  });
});

describe('the status of the ledger', () => {
  const read = async (protocolVersion: number) => {
    const url = await aNode(() => ({ result: state(7, protocolVersion) }));
    return readStatus(new LedgerNodes({ urls: [url], timeoutMs: 5_000 }));
  };

  it('reports how long validators lock objects: until the epoch ends, or briefly without certificates', async () => {
    const until = await read(FIRST_PROTOCOL_WITHOUT_CERTIFICATES - 1);
    expect(until).toEqual({
      epoch: 7n,
      referenceGasPrice: 1_000n,
      epochStartedAt: 5_000,
      epochEndsAt: 5_000 + 10 ** 15,
      objectLockMs: null,
    });
    expect((await read(FIRST_PROTOCOL_WITHOUT_CERTIFICATES)).objectLockMs).toBe(12_000);
  });
});
