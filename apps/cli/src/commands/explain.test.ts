import { describe, expect, it } from '@jest/globals';
import type { ExplainResponse } from '@forecourt/contracts';
import { formatExplanation } from './explain.js';

const DIGEST = '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC';

const explanation: ExplainResponse['result'] = {
  verdict: 'refused',
  meaning: 'It was refused: \u001b[31mlocked.',
  advice: 'Sign again.',
  digest: DIGEST,
  reservation: null,
  job: null,
  ledger: 'unreachable',
  decisions: [{ outcome: 'deny', rule: 'no-mints' }],
};

const RESERVATION = {
  reservation_id: 7,
  state: 'executing',
  caller: 'shop',
  sponsor_address: '0x5',
  gas_budget: 20_000_000,
  reserved_at: 0,
  expires_at: 1,
} as unknown as NonNullable<Parameters<typeof formatExplanation>[0]['reservation']>;

describe('an explanation for people', () => {
  it('begins with what it means and what to do, and shows nothing a terminal acts on', () => {
    const text = formatExplanation(explanation);
    expect(text.split('\n').slice(0, 3)).toEqual([
      'It was refused:  [31mlocked.',
      'Sign again.',
      '',
    ]);
    expect(text).toMatch(/^verdict +refused$/m);
    expect(text).toMatch(/^ledger +no node answers$/m);
    const invalid = formatExplanation({ ...explanation, ledger: 'invalid' });
    expect(invalid).toMatch(/^ledger +a node’s answer cannot be used$/m);
    expect(text).toMatch(/^access decision +\{"outcome":"deny","rule":"no-mints"\}$/m);
  });

  it('names the limits in which it counts, with units and the end of their windows', () => {
    const gas = { counter: 'c1', counts: 'gas', amount: '20000000', used: '500000000' };
    const limit = 'gas <= 5 IOTA in 1 day, the budget of token shop';
    const requests = { counter: 'c2', counts: 'requests', amount: '1', used: '3' };
    const reservation = {
      usage: [
        { ...gas, limit, resets_at: 1_760_000_000_000 },
        { ...requests, limit: null, resets_at: null },
      ],
    };
    const text = formatExplanation({
      ...explanation,
      reservation: { ...RESERVATION, ...reservation },
    });
    expect(text).toContain(
      `0.02 IOTA of 0.5 IOTA used in ${limit}; resets at 2025-10-09T08:53:20.000Z`,
    );
    expect(text).toContain('1 requests of 3 requests used in a limit that no file of the gateway');
  });
});
