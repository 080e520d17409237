import { connect as connectTcp } from 'node:net';
import { type ClientHttp2Session } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ExecuteTransactionsRequestSchema,
  GetServiceInfoRequestSchema,
  LedgerService,
} from '@forecourt/ledger/node-messages';
import { framed, openSession, rawCall } from '../testing/raw-grpc-call.test-support.js';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

const LEDGER = '/iota.grpc.v1.ledger_service.LedgerService';
const INFO = `${LEDGER}/GetServiceInfo`;
const EXECUTION = '/iota.grpc.v1.transaction_execution_service.TransactionExecutionService';
const EXECUTE = `${EXECUTION}/ExecuteTransactions`;
const MEBIBYTE = 2 ** 20;

describe('the wire of gRPC', () => {
  let devnet: TestDevnet;
  let session: ClientHttp2Session;
  beforeAll(async () => {
    devnet = await startTestDevnet();
    session = openSession(devnet.urls.grpc!);
  });
  afterAll(async () => {
    session.close();
    await devnet.stop();
  });

  /** A request whose message has this size, with bytes that are not a transaction. */
  const requestOf = (size: number) => {
    const of = (length: number) =>
      toBinary(
        ExecuteTransactionsRequestSchema,
        create(ExecuteTransactionsRequestSchema, {
          transactions: [{ transaction: { bcs: { data: new Uint8Array(length).fill(1) } } }],
        }),
      );
    return of(size - (of(size).length - size));
  };

  it.each([
    `${LEDGER}/NoSuchMethod`,
    `${EXECUTION}/ViewFunctionCalls`,
    '/grpc.health.v1.Health/Check',
    '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  ])('answers %s with code 12 and no text', async (path) => {
    const { headers } = await rawCall(session, path, framed(new Uint8Array()));
    expect(headers).toMatchObject({ ':status': 200, 'grpc-status': '12' });
    expect(headers['grpc-message']).toBeUndefined();
  });

  it.each(['gzip', 'deflate'])('refuses requests in %s', async (encoding) => {
    const body = framed(gzipSync(new Uint8Array()), 1);
    const { headers } = await rawCall(session, INFO, body, { 'grpc-encoding': encoding });
    expect(headers['grpc-status']).toBe('12');
    const message = decodeURIComponent(headers['grpc-message'] as string);
    expect(message).toBe(`Content is compressed with \`${encoding}\` which isn't supported`);
  });

  it('takes messages of 4 MiB, and answers larger ones with code 11', async () => {
    const largest = requestOf(4 * MEBIBYTE);
    const taken = await rawCall(session, EXECUTE, framed(largest));
    expect(largest).toHaveLength(4 * MEBIBYTE);
    expect(taken.trailers['grpc-status']).toBe('0');
    for (const size of [4 * MEBIBYTE + 1, 20 * MEBIBYTE]) {
      const { headers } = await rawCall(session, EXECUTE, framed(requestOf(size)));
      expect(headers['grpc-status']).toBe('11');
      expect(decodeURIComponent(headers['grpc-message'] as string)).toBe(
        `Error, decoded message length too large: found ${size} bytes, the limit is: 4194304 bytes`,
      );
    }
  });

  it('answers bytes that are not a message with code 13', async () => {
    const texts: [text: string, bytes: readonly number[]][] = [
      ['invalid varint', [255, 255, 255]],
      ['buffer underflow', [0x7a, 5, 1]],
    ];
    for (const [text, bytes] of texts) {
      const { headers } = await rawCall(session, EXECUTE, framed(Uint8Array.from(bytes)));
      expect(headers['grpc-status']).toBe('13');
      const message = decodeURIComponent(headers['grpc-message'] as string);
      expect(message).toBe(`failed to decode Protobuf message: ${text}`);
    }
    const none = await rawCall(session, EXECUTE, new Uint8Array());
    expect(none.headers['grpc-status']).toBe('13');
  });

  it('takes headers of 16 KiB, and not more', async () => {
    const send = (size: number) =>
      rawCall(session, INFO, framed(new Uint8Array()), { 'x-large': 'a'.repeat(size) });
    expect((await send(15_900)).headers[':status']).toBe(200);
    expect((await send(16_400)).headers[':status']).toBe(431);
  });

  it('describes the chain in the headers of an answer, and compresses none', async () => {
    const body = framed(toBinary(GetServiceInfoRequestSchema, create(GetServiceInfoRequestSchema)));
    const all = { 'grpc-accept-encoding': 'gzip,deflate' };
    const { headers, trailers } = await rawCall(session, INFO, body, all);
    const { sequenceNumber, timestampMs } = devnet.engine.latestCheckpoint;
    expect(headers).toMatchObject({
      ':status': 200,
      'content-type': 'application/grpc',
      'x-iota-chain-id': devnet.engine.chainDigest,
      'x-iota-chain': 'unknown',
      'x-iota-epoch': '0',
      'x-iota-checkpoint-height': String(sequenceNumber),
      'x-iota-timestamp-ms': String(timestampMs),
      'x-iota-timestamp': new Date(timestampMs).toISOString(),
      'x-iota-lowest-available-checkpoint': '0',
      'x-iota-lowest-available-checkpoint-objects': '0',
      'x-iota-server': 'iota-node/1.21.0-devnet',
    });
    expect(headers['grpc-encoding']).toBeUndefined();
    expect(trailers).toMatchObject({ 'grpc-status': '0' });
  });

  it('begins a stream before its first message, and sends no headers of a refused one', async () => {
    const { streamCheckpoints } = LedgerService.method;
    const path = `${LEDGER}/${streamCheckpoints.name}`;
    // A start in the future, field 1.
    const future = framed(Uint8Array.of(8, 0xff, 0xff, 0xff, 0x7f));
    const waiting = session.request({ ':method': 'POST', ':path': path });
    const begun = new Promise((resolve) => waiting.once('response', resolve));
    waiting.end(future);
    expect(await begun).toMatchObject({ 'x-iota-epoch': '0' });
    waiting.close();
    // `filter_checkpoints` without a filter, field 6.
    const refused = await rawCall(session, path, framed(Uint8Array.of(48, 1)));
    expect(refused.headers).toMatchObject({ 'grpc-status': '3' });
    expect(refused.headers['x-iota-epoch']).toBeUndefined();
  });

  it('breaks connections without a farewell when it is stopped', async () => {
    const own = await startTestDevnet();
    const leaving = openSession(own.urls.grpc!);
    const farewells: unknown[] = [];
    leaving.on('goaway', (code) => farewells.push(code));
    const waiting = leaving.request({
      ':method': 'POST',
      ':path': `${LEDGER}/StreamCheckpoints`,
    });
    const answers: unknown[] = [];
    waiting.on('trailers', (trailers) => answers.push(trailers));
    waiting.on('error', () => undefined);
    const begun = new Promise((resolve) => waiting.once('response', resolve));
    const ended = new Promise((resolve) => waiting.once('close', resolve));
    waiting.end(framed(new Uint8Array()));
    await begun;
    await own.stop();
    await ended;
    expect([farewells, answers]).toEqual([[], []]);
    const { port } = new URL(own.urls.grpc!);
    const again = connectTcp(Number(port), '127.0.0.1');
    const outcome = new Promise((resolve) => again.once('error', resolve));
    expect(await outcome).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
