import { describe, expect, it } from '@jest/globals';
import { answerJsonRpc, ConnectionDropped } from './answer-json-rpc.js';
import type { CallOrigin } from './call-origin.js';
import { invalidParams } from './json-rpc-error.js';
import { CallSlots } from './limits/call-slots.js';
import { HeldBytes } from './limits/held-bytes.js';

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
    signal: new AbortController().signal,
    held: new HeldBytes(),
    answers: new HeldBytes(),
    slots: new CallSlots(2),
  };
}

async function answer(body: string): Promise<unknown> {
  const context = { origin: anOrigin(), afterReply: () => undefined };
  const text = await answerJsonRpc(body, call, context, { maxBatch: 4 });
  return text === null ? null : JSON.parse(text);
}

const request = (fields: object) => ({ jsonrpc: '2.0', id: 1, method: 'echo', ...fields });

describe('JSON-RPC envelope', () => {
  it('echoes string, number and null ids', async () => {
    for (const id of ['a', 0, 7, null]) {
      const reply = await answer(JSON.stringify(request({ id, params: [1] })));
      expect(reply).toEqual({ jsonrpc: '2.0', id, result: [1] });
    }
  });

  it('answers null where a method gives nothing', async () => {
    expect(await answer(JSON.stringify(request({ method: 'nothing' })))).toMatchObject({
      result: null,
    });
  });

  it('tells a parse error from an invalid request', async () => {
    expect(await answer('{')).toMatchObject({ id: null, error: { code: -32700 } });
    for (const bad of [
      '1',
      '[]',
      '{}',
      JSON.stringify(request({ jsonrpc: '1.0' })),
      JSON.stringify(request({ method: 5 })),
      JSON.stringify(request({ id: {} })),
      JSON.stringify(request({ params: 'x' })),
    ]) {
      expect(await answer(bad)).toMatchObject({ error: { code: -32600 } });
    }
  });

  it('answers a batch in order and leaves notifications out', async () => {
    const batch = [
      request({ id: 1, params: ['a'] }),
      { jsonrpc: '2.0', method: 'echo' },
      7,
      request({ id: 2, method: 'refuse' }),
    ];
    expect(await answer(JSON.stringify(batch))).toEqual([
      { jsonrpc: '2.0', id: 1, result: ['a'] },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'no' } },
    ]);
  });

  it('runs a notification without answering it', async () => {
    called.length = 0;
    expect(await answer('{"jsonrpc":"2.0","method":"echo"}')).toBeNull();
    expect(called).toEqual(['echo']);
  });

  it('turns what nobody foresaw into -32603', async () => {
    expect(await answer(JSON.stringify(request({ method: 'bug' })))).toMatchObject({
      error: { code: -32603 },
    });
  });

  it('leaves a dropped connection to the transport', async () => {
    await expect(answer(JSON.stringify(request({ method: 'drop' })))).rejects.toThrow(
      ConnectionDropped,
    );
  });
});
