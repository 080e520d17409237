import { describe, expect, it } from '@jest/globals';
import { readFault } from './read-fault.js';
import { InvalidControlRequest } from './invalid-control-request.js';

describe('readFault', () => {
  it('reads a fixed latency or a range, for one method or all', () => {
    expect(readFault({ kind: 'latency', ms: 5 }).fault).toEqual({
      kind: 'latency',
      minMs: 5,
      maxMs: 5,
      when: 'before',
    });
    expect(
      readFault({ kind: 'latency', minMs: 1, maxMs: 9, method: 'm', when: 'after', times: 2 }),
    ).toEqual({
      fault: { kind: 'latency', method: 'm', minMs: 1, maxMs: 9, when: 'after' },
      times: 2,
      forMs: null,
    });
  });

  it('makes a node wait up to 30 s for finality', () => {
    const method = 'iota_executeTransactionBlock';
    for (const when of ['before', 'after']) {
      expect(readFault({ kind: 'latency', ms: 30_000, when, method }).fault).toEqual({
        kind: 'latency',
        method,
        minMs: 30_000,
        maxMs: 30_000,
        when,
      });
    }
  });

  it('resolves presets by name and applies them to execution', () => {
    expect(readFault({ kind: 'refuse', preset: 'equivocated' }).fault).toMatchObject({
      method: 'iota_executeTransactionBlock',
      code: -32002,
      message: expect.stringContaining('equivocated until the next epoch'),
    });
    expect(readFault({ kind: 'transient', preset: 'no-finality', when: 'before' }).fault).toEqual({
      kind: 'transient',
      method: 'iota_executeTransactionBlock',
      when: 'before',
      afterMs: 0,
      message: 'Transaction failed to reach finality with transient error after 10 attempts.',
    });
  });

  it('reads an error that is sent after execution: a preset, a status or a code', () => {
    const answerOf = (body: object) => readFault({ kind: 'misreport', ...body }).fault;
    const method = 'iota_executeTransactionBlock';
    expect(answerOf({ preset: 'certificate-expired' })).toEqual({
      kind: 'misreport',
      method,
      answer: { code: -32603, message: 'certificate: Expired' },
    });
    expect(answerOf({ preset: 'equivocated' })).toMatchObject({ answer: { code: -32002 } });
    expect(answerOf({ preset: 'payload-too-large' })).toMatchObject({ answer: { status: 413 } });
    expect(answerOf({ status: 502 })).toMatchObject({ answer: { status: 502 } });
    expect(answerOf({ code: -32602, message: 'x' })).toMatchObject({
      answer: { code: -32602, message: 'x' },
    });
  });

  it('reads the answers to a submission and its repetitions until it lands', () => {
    const kind = 'refuseMeanwhile';
    const fault = (body: object) => readFault({ kind, afterMs: 5, ...body }).fault;
    expect(fault({ preset: 'low-balance' })).toMatchObject({
      kind,
      afterMs: 5,
      first: { code: -32050, message: 'Transaction timed out before reaching finality' },
      refusal: { code: -32002, about: 'inputs' },
    });
    expect(fault({ preset: 'missing', first: 'dropped' })).toMatchObject({ first: 'dropped' });
    expect(fault({ preset: 'missing', first: 'gateway-timeout' })).toMatchObject({
      first: { status: 504 },
    });
  });

  it.each([
    [null, 'object'],
    [{}, 'kind'],
    [{ kind: 'fire' }, 'kind'],
    [{ kind: 'latency' }, 'ms'],
    [{ kind: 'latency', ms: -1 }, '"ms"'],
    [{ kind: 'latency', minMs: 5, maxMs: 4 }, '"maxMs"'],
    [{ kind: 'refuse' }, 'preset'],
    [{ kind: 'refuse', preset: 'nope' }, '"preset"'],
    [{ kind: 'misreport' }, 'preset'],
    [{ kind: 'misreport', status: 1 }, '"status"'],
    [{ kind: 'refuseMeanwhile', preset: 'stale' }, '"afterMs"'],
    [{ kind: 'refuseMeanwhile', afterMs: 5 }, 'preset'],
    [{ kind: 'refuseMeanwhile', afterMs: 5, preset: 'deadline' }, '"preset"'],
    [{ kind: 'refuseMeanwhile', afterMs: 5, preset: 'stale', first: 'x' }, '"first"'],
    [{ kind: 'lag' }, 'lag'],
    [{ kind: 'lag', ms: 1, checkpoints: 1 }, 'lag'],
    [{ kind: 'loseReply', times: 0 }, '"times"'],
    [{ kind: 'down', mode: 'sideways' }, '"mode"'],
    [{ kind: 'rateLimit', as: 'html' }, '"as"'],
    [{ kind: 'rateLimit', perSecond: -1 }, '"perSecond"'],
    [{ kind: 'httpReply' }, '"status"'],
    [{ kind: 'httpReply', status: 600 }, '"status"'],
    [{ kind: 'unconvertible' }, 'digest'],
    [{ kind: 'reorder', group: 1 }, '"group"'],
  ])('refuses %j and names %s', (body, part) => {
    expect(() => readFault(body)).toThrow(InvalidControlRequest);
    expect(() => readFault(body)).toThrow(part);
  });
});
