import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SigningFailed } from '@forecourt/ledger';
import { HeldKey, KeyServer } from '@forecourt/testing/key-services';
import { waitUntil } from '@forecourt/testing/system';
import { SignerSource } from '../signer-source.js';

let server: KeyServer;
let events: string[];
let source: SignerSource;
beforeEach(async () => {
  server = await KeyServer.start({ protocol: 'sidecar' });
  events = [];
  source = new SignerSource({
    onRequest: () => undefined,
    onOutage: (_signer, failure) => void events.push(failure?.fault ?? 'ended'),
  });
});
afterEach(() => server.stop());
const signerOf = (...entries: string[]) => source.read(entries)[0]!;

describe('the signer of a key in a service', () => {
  it('keeps at most its number of signatures in flight', async () => {
    const signer = signerOf(server.entry({ 'in-flight': '3' }));
    server.delayMs = 20;
    const signing = Promise.all(Array.from({ length: 9 }, () => signer.check()));
    await waitUntil(async () => server.requests.length > 0);
    expect(signer.inFlight).toBe(3);
    await signing;
    expect(server.mostAtOnce).toBe(3);
    expect(signer.inFlight).toBe(0);
  });

  it('is checked without a request unless it is idle or has failed', async () => {
    const signer = signerOf(server.entry());
    const askedBy = async (check: Promise<unknown>) => {
      const before = server.requests.length;
      await check.catch(() => undefined);
      return server.requests.length - before;
    };
    const idleMs = 60_000;
    expect(await askedBy(signer.check(idleMs))).toBe(1);
    expect(await askedBy(signer.check(idleMs))).toBe(0);
    expect(await askedBy(signer.check())).toBe(1);
    await signer.signTransaction(new Uint8Array(9));
    expect(await askedBy(signer.check(idleMs))).toBe(0);
    Object.assign(server, { fault: 'throttled', faultyRequests: 1 });
    await signer.signTransaction(new Uint8Array(9));
    expect(await askedBy(signer.check(idleMs))).toBe(0);
    server.fault = 'wrong-signature';
    server.faultyRequests = 1;
    await expect(signer.signTransaction(new Uint8Array(9))).rejects.toThrow('wrong_signature');
    expect(await askedBy(signer.check(idleMs))).toBe(1);
    expect(await askedBy(signer.check(idleMs))).toBe(0);
  });

  it('does not use a signature that arrives after the time limit', async () => {
    const outcomes: string[] = [];
    source = new SignerSource({
      onRequest: (_signer, outcome) => void outcomes.push(outcome),
      onOutage: () => undefined,
    });
    const signer = signerOf(server.entry({ 'timeout-ms': '50' }));
    server.delayMs = 150;
    const signing = signer.signTransaction(new Uint8Array(9));
    await expect(signing).rejects.toMatchObject({ fault: 'timeout' });
    await waitUntil(async () => server.answered === server.requests.length);
    expect(outcomes).toEqual(['timeout', 'timeout', 'timeout', 'timeout']);
    server.delayMs = 0;
    // An answer may take longer than this time limit on a busy machine, too.
    await waitUntil(() =>
      signer.check().then(
        () => true,
        () => false,
      ),
    );
    expect(outcomes.at(-1)).toBe('signed');
  });

  it('uses an answer that has arrived while this process was paused', async () => {
    const signer = signerOf(server.entry({ 'timeout-ms': '1000' }));
    await signer.check();
    const [requestCount, answered] = [server.requests.length, server.answered];
    const pauseOnceAnswered = () => {
      if (server.answered === answered) return void setImmediate(pauseOnceAnswered);
      const until = performance.now() + 1_100;
      while (performance.now() < until);
    };
    pauseOnceAnswered();
    await signer.check();
    expect(server.requests.length - requestCount).toBe(1);
  });

  it('is out of service while it fails, asks rarely, and recovers by itself', async () => {
    const signer = signerOf(server.entry());
    server.fault = 'down';
    for (let round = 0; round < 3; round++) await signer.check().catch(() => undefined);
    expect(signer.outageMs).not.toBeNull();
    const requestCount = server.requests.length;
    await expect(signer.check()).rejects.toMatchObject({ fault: 'unreachable' });
    expect(server.requests).toHaveLength(requestCount);
    server.fault = null;
    await waitUntil(() =>
      signer.check().then(
        () => true,
        () => false,
      ),
    );
    expect(signer.outageMs).toBeNull();
    expect(events).toEqual(['unreachable', 'ended']);
  });

  it('is not out of service because it refuses one transaction', async () => {
    const signer = signerOf(server.entry());
    server.fault = 'refused';
    for (let round = 0; round < 8; round++) {
      await expect(signer.signTransaction(new Uint8Array(9))).rejects.toBeInstanceOf(SigningFailed);
    }
    expect(signer.outageMs).toBeNull();
    for (let round = 0; round < 5; round++) await signer.check().catch(() => undefined);
    expect(signer.outageMs).not.toBeNull();
  });

  it('stops at once when the service has another key', async () => {
    const signer = signerOf(server.entry());
    server.fault = 'wrong-key';
    await expect(signer.check()).rejects.toMatchObject({ fault: 'wrong_key' });
    expect(signer.outageMs).not.toBeNull();
    expect(server.requests).toHaveLength(1);
  });

  it('keeps its signer, with its outage, when other entries change', () => {
    const entry = server.entry();
    const [first] = source.read([entry]);
    const [again] = source.read([entry, new HeldKey('ed25519').keypair.getSecretKey()]);
    expect(again).toBe(first);
  });
});

describe('a key in two places', () => {
  it('is one sponsor, whose signatures come from the first place that signs', async () => {
    const second = await KeyServer.start({ protocol: 'vault', key: server.key });
    const signers = source.read([server.entry(), second.entry({ token: 't' })]);
    expect(signers).toHaveLength(1);
    const [signer] = signers;
    expect(signer).toMatchObject({ address: server.key.address, kinds: ['sidecar', 'vault'] });
    await signer!.signTransaction(new Uint8Array(9));
    expect(second.requests).toEqual([]);
    await server.stop();
    for (let round = 0; round < 8; round++) await signer!.signTransaction(new Uint8Array(9));
    expect(signer!.outageMs).toBeNull();
    await second.stop();
    await expect(signer!.check()).rejects.toBeInstanceOf(SigningFailed);
    await server.restart();
  });

  it('moves from this process to a service without a change of its address', async () => {
    const local = server.key.keypair.getSecretKey();
    const signer = signerOf(server.entry(), local);
    expect(signer.kinds).toEqual(['sidecar', 'local']);
    server.fault = 'down';
    await signer.signTransaction(new Uint8Array(9));
    expect(source.read([local])[0]!.address).toBe(signer.address);
  });
});
