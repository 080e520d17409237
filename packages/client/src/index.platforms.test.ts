import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { WebSocket } from 'ws';
import type * as Client from './index.js';
import { StandInGasStation } from './gas-station/stand-in-gas-station.test-support.js';
import { StandInEvents } from './ledger-events/stand-in-events.test-support.js';

/** As of the package abort-controller 3, which React Native has: neither reasons nor `throwIfAborted`. */
class Signal extends EventTarget {
  aborted = false;
}
class Controller {
  readonly signal = new Signal();

  abort(): void {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    this.signal.dispatchEvent(new Event('abort'));
  }
}

/** As of React Native: the address as a whole, and nothing checked. */
class Address {
  constructor(readonly href: string) {}

  get origin(): never {
    throw new Error('URL.origin is not implemented');
  }
  get pathname(): never {
    throw new Error('URL.pathname is not implemented');
  }
}
class Query {
  readonly #parts: string[] = [];

  append(name: string, value: string): void {
    this.#parts.push(`${name}=${encodeURIComponent(value)}`);
  }
  set(): never {
    throw new Error('URLSearchParams.set is not implemented');
  }
  toString(): string {
    return this.#parts.join('&');
  }
}

/** Takes signals of any class, as the `fetch` of React Native does. */
function fetchWith(url: string, { signal, ...init }: RequestInit = {}): Promise<Response> {
  const controller = new AbortController();
  signal?.addEventListener('abort', () => controller.abort());
  return fetch(url, { ...init, signal: controller.signal });
}

/** Additions to ECMAScript since Safari 15.0. */
const NEWER = `
for (const name of ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with'])
  delete Array.prototype[name];
for (const name of ['at', 'isWellFormed']) delete String.prototype[name];
for (const [owner, name] of [[Object, 'hasOwn'], [Object, 'groupBy'], [Promise, 'withResolvers'],
  [Promise, 'try'], [Array, 'fromAsync'], [RegExp, 'escape'], [Uint8Array, 'fromBase64']]) delete owner[name];
delete globalThis.Iterator;
delete globalThis.structuredClone;
`;

let client: typeof Client;
let server: StandInGasStation;
let events: StandInEvents;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './index.ts';",
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    bundle: true,
    format: 'iife',
    globalName: 'forecourt',
    write: false,
  });
  const context = createContext({
    AbortController: Controller,
    URL: Address,
    URLSearchParams: Query,
    fetch: fetchWith,
    WebSocket,
    atob,
    btoa,
    clearTimeout,
    performance,
    setTimeout,
  }) as { forecourt?: typeof Client };
  runInContext(NEWER + outputFiles[0]!.text, context);
  client = context.forecourt!;
  server = await StandInGasStation.start();
  events = await StandInEvents.start();
});
beforeEach(() => server.clear());
afterAll(async () => {
  await Promise.all([server.stop(), events.stop()]);
});

const SIGNED = { reservationId: 7, transaction: 'AAAA', signature: 'AA==' };
const EXECUTED = {
  body: { effects: { status: { status: 'success' }, transactionDigest: 'D1' }, error: null },
};
const station = () => new client.GasStation({ url: `${server.url}/`, token: 'secret' });
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'succeeded',
    (error: unknown) => error,
  );

describe('the client on React Native, and on Safari 15', () => {
  it('executes with a signal, and with a time limit that passes keeps the request to repeat', async () => {
    server.respond = () => 'silence';
    const { signal } = new Controller() as unknown as AbortController;
    const error = await failureOf(station().execute(SIGNED, { timeoutMs: 300, signal }));
    expect(error).toMatchObject({ code: 'TIMEOUT', pending: SIGNED });
    server.respond = () => EXECUTED;
    const { pending } = error as Client.GasStationError;
    expect(await station().execute(pending!, { signal })).toMatchObject({ digest: 'D1' });
  });

  it('rejects with an error that names the abort, before a call and within it', async () => {
    server.respond = () => 'silence';
    const controller = new Controller();
    const { signal } = controller as unknown as AbortController;
    const failure = failureOf(station().execute(SIGNED, { signal }));
    await server.untilReceived('/v1/execute_tx');
    controller.abort();
    const aborted = { name: 'AbortError', message: 'The call was aborted' };
    expect(await failure).toMatchObject(aborted);
    expect(await failureOf(station().status({ signal }))).toMatchObject(aborted);
    expect(server.requests).toHaveLength(1);
  });

  it('sends queries, and refuses addresses, without the parts of URL', async () => {
    server.respond = ({ path }) => {
      const result = { rows: [], total: {}, path };
      return { body: { result } };
    };
    const usage = await station().usage({ groupBy: ['token', 'user'], token: 'a b' });
    expect(usage).toMatchObject({ path: '/v1/usage?token=a%20b&group_by=token%2Cuser' });
    for (const url of [
      'gas.example.com',
      'ftp://a.example',
      'http://user:word@a.example',
      '/gas',
    ]) {
      expect(() => new client.GasStation({ url })).toThrow(/url must be an http or https address/);
    }
  });

  it('queries and follows events, and ends with its signal', async () => {
    const ledger = new client.LedgerEvents({ url: events.url });
    events.publish(3);
    const all: number[] = [];
    for await (const { id } of ledger.query('All', { pageSize: 2 })) all.push(id.txSeq);
    expect(all).toEqual([0, 1, 2]);
    const controller = new Controller();
    const { signal } = controller as unknown as AbortController;
    const received = (async () => {
      for await (const { id } of ledger.subscribe({ EventType: 'Checkpoint' }, { signal }))
        all.push(id.txSeq);
    })();
    const failure = failureOf(received);
    await events.untilSubscribed();
    events.publish(1);
    while (all.length < 4) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await failure).toMatchObject({ name: 'AbortError' });
    expect(all).toEqual([0, 1, 2, 3]);
  });
});
