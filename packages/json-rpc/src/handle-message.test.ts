import { describe, expect, it } from '@jest/globals';
import { invalidParams } from '@forecourt/contracts';
import { FairBulkhead } from '@forecourt/resilience';
import { ConnectionDropped } from './connection-dropped.js';
import type { CallOrigin } from './call-origin.js';
import { ByteCounter } from './byte-counter.js';
import { handleMessage } from './handle-message.js';
const called: string[] = [];

async function call(method: string, params: unknown): Promise<unknown> {
  called.push(method);
  if (method === 'echo') return params;
  if (method === 'nothing') return undefined;
  if (method === 'refuse') throw invalidParams('no');
  if (method === 'drop') throw new ConnectionDropped();
  throw new Error('boom');
}

function anOrigin(): CallOrigin {
  return {
    client: '10.0.0.1',
    turnTaker: '10.0.0.1',
    signal: new AbortController().signal,
    memory: new ByteCounter(),
    responses: new ByteCounter(),
    slots: new FairBulkhead(2, { waiting: Infinity }),
  };
}

async function handle(body: string): Promise<unknown> {
  const context = { origin: anOrigin(), afterReply: () => undefined };
  const response = await handleMessage(body, call, context, { maxBatch: 4 });
  return response === null ? null : JSON.parse(response.toString());
}

const request = (fields: object) => ({ jsonrpc: '2.0', id: 1, method: 'echo', ...fields });

describe('handleMessage', () => {
  it('echoes string, number and null ids', async () => {
    for (const id of ['a', 0, 7, null]) {
      const response = await handle(JSON.stringify(request({ id, params: [1] })));
      expect(response).toEqual({ jsonrpc: '2.0', id, result: [1] });
    }
  });

  it('echoes ids to their last digit, alone, in batches and in errors', async () => {
    const large = ['9007199254740993', '18446744073709551615', '-9223372036854775809'];
    const ids = [...large, '1e400', '-1E+400', '0.1000000000000000055', '"9"', '7'];
    const responses = async (body: string) => {
      const context = { origin: anOrigin(), afterReply: () => undefined };
      return String(await handleMessage(body, call, context, { maxBatch: 8 }));
    };
    const write = (id: string, method = 'echo') =>
      `{"jsonrpc":"2.0","method":"${method}", "id" : ${id},"params":[{"id":18446744073709551615},"\\"id\\": 18446744073709551615}"]}`;
    for (const id of ids) {
      expect(await responses(write(id))).toContain(`"id":${id},"result"`);
      expect(await responses(write(id, 'refuse'))).toContain(`"id":${id},"error"`);
    }
    const batch = await responses(`[${ids.map((id) => write(id)).join()}]`);
    expect(batch.match(/"id":[^,]*,"result"/g)).toEqual(ids.map((id) => `"id":${id},"result"`));
    expect(batch).toContain('\\"id\\": 18446744073709551615}');
  });

  it('responds with null when a method returns undefined', async () => {
    expect(await handle(JSON.stringify(request({ method: 'nothing' })))).toMatchObject({
      result: null,
    });
  });

  it('distinguishes a parse error from an invalid request', async () => {
    expect(await handle('{')).toMatchObject({ id: null, error: { code: -32700 } });
    for (const bad of [
      '1',
      '[]',
      '{}',
      JSON.stringify(request({ jsonrpc: '1.0' })),
      JSON.stringify(request({ method: 5 })),
      JSON.stringify(request({ id: {} })),
      JSON.stringify(request({ params: 'x' })),
    ]) {
      expect(await handle(bad)).toMatchObject({ error: { code: -32600 } });
    }
  });

  it('responds to a batch in order and omits notifications', async () => {
    const batch = [
      request({ id: 1, params: ['a'] }),
      { jsonrpc: '2.0', method: 'echo' },
      7,
      request({ id: 2, method: 'refuse' }),
    ];
    expect(await handle(JSON.stringify(batch))).toEqual([
      { jsonrpc: '2.0', id: 1, result: ['a'] },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'no' } },
    ]);
  });

  it('runs a notification without responding to it', async () => {
    called.length = 0;
    expect(await handle('{"jsonrpc":"2.0","method":"echo"}')).toBeNull();
    expect(called).toEqual(['echo']);
  });

  it('turns an unexpected error into -32603', async () => {
    expect(await handle(JSON.stringify(request({ method: 'bug' })))).toMatchObject({
      error: { code: -32603 },
    });
  });

  it('passes ConnectionDropped on to the transport', async () => {
    await expect(handle(JSON.stringify(request({ method: 'drop' })))).rejects.toThrow(
      ConnectionDropped,
    );
  });
});
