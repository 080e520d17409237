import { partial } from '@forecourt/testing/jest';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LedgerUnreachable } from '@forecourt/ledger';
import { Metrics } from '../metrics/index.js';
import { measureLedger } from './ledger.module.js';

const BETWEEN_READS_MS = 15_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** The metric at each reading; `answers`: the node's behaviour at each call. */
async function readings(...answers: (() => Promise<string>)[]): Promise<(string | undefined)[]> {
  const metrics = new Metrics();
  let calls = 0;
  measureLedger(metrics, partial({ chainIdentifier: () => answers[calls++]!() }));
  const identifiers: (string | undefined)[] = [];
  while (identifiers.length < answers.length) {
    identifiers.push(await read(metrics));
    await jest.advanceTimersByTimeAsync(BETWEEN_READS_MS);
  }
  return identifiers;
}

async function read(metrics: Metrics): Promise<string | undefined> {
  const { text } = await metrics.expose();
  return /^forecourt_ledger_up (.*)$/m.exec(text)?.[1];
}

const answering = async () => 'a1b2c3d4';
const refusing = () => Promise.reject(new LedgerUnreachable('connect ECONNREFUSED'));
const hanging = () => new Promise<string>(() => undefined);

describe('ledger_up', () => {
  it('has no value before the first call, then shows whether the node answered', async () => {
    expect(await readings(answering, refusing, answering, answering)).toEqual([
      undefined,
      '1',
      '0',
      '1',
    ]);
  });

  it('shows a hanging node as down at the next reading', async () => {
    expect(await readings(answering, hanging, answering)).toEqual([undefined, '1', '0']);
  });

  it('calls the node once in ten seconds, for any number of readings', async () => {
    const metrics = new Metrics();
    let calls = 0;
    const chainIdentifier = () => {
      calls += 1;
      return answering();
    };
    measureLedger(metrics, partial({ chainIdentifier }));
    for (let i = 0; i < 20; i++) await read(metrics);
    expect(calls).toBe(1);
    await jest.advanceTimersByTimeAsync(10_000);
    await read(metrics);
    expect(calls).toBe(2);
  });
});
