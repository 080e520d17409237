import { describe, expect, it } from '@jest/globals';
import { type CoinState, coinStates, type PoolAudit } from '@forecourt/coin-store';
import { formatJson } from '../terminal/format-table.js';
import { formatAudit } from './format-audit.js';

const NONE = { coins: 0n, balance: 0n };

function anAudit(changes: Partial<PoolAudit> = {}): PoolAudit {
  const none = Object.fromEntries(coinStates.map((state) => [state, 0n])) as Record<
    CoinState,
    bigint
  >;
  const sum = { coins: 3n, balance: 300n };
  return {
    sponsor: '0xa',
    totals: {
      coins: { ...none, available: 3n },
      balance: { ...none, available: 300n },
      smashed: 0n,
      made: 0n,
      gasCharged: 7n,
      found: { transactions: 0n, gas: 0n, unexplained: 0n },
    },
    ledger: sum,
    compared: { pool: sum, ledger: sum },
    inFlight: { pool: NONE, ledger: NONE },
    differences: [],
    isExact: true,
    ...changes,
  };
}

const lastLines = (audit: PoolAudit) => formatAudit(audit).split('\n').slice(-3);

describe('the text of an audit', () => {
  it('calls a pool exact when every coin was compared and agrees', () => {
    expect(lastLines(anAudit())).toEqual([
      'Compared one by one: 3 coins with a balance of 0.0000003 IOTA in the pool, 3 coins with a balance of 0.0000003 IOTA on the ledger.',
      'Not compared, because transactions may be changing them: 0 coins with a balance of 0 IOTA in the pool, 0 coins with a balance of 0 IOTA on the ledger.',
      'Exact: every coin agrees.',
    ]);
  });

  it('tells what was found on the ledger without a record of the pool', () => {
    const found = { transactions: 55n, gas: 1_500_000_000n, unexplained: 7n };
    const { totals } = anAudit();
    expect(formatAudit(anAudit({ totals: { ...totals, found } })).split('\n')).toContain(
      'Found on the ledger, where the pool had no record: 55 sponsored transactions, gas of 1.5 IOTA in all; 0.000000007 IOTA that no transaction explains.',
    );
  });

  it('says how many coins in flight were not compared, and how much they hold on either side', () => {
    const inFlight = { pool: { coins: 1n, balance: 90n }, ledger: { coins: 2n, balance: 80n } };
    const ledger = { coins: 5n, balance: 380n };
    expect(lastLines(anAudit({ inFlight, ledger })).slice(-2)).toEqual([
      'Not compared, because transactions may be changing them: 1 coin with a balance of 0.00000009 IOTA in the pool, 2 coins with a balance of 0.00000008 IOTA on the ledger.',
      'Exact in what was compared.',
    ]);
  });

  it('does not call a pool exact whose totals are not equal', () => {
    const compared = { pool: { coins: 3n, balance: 300n }, ledger: { coins: 3n, balance: 299n } };
    const text = formatAudit(anAudit({ compared, isExact: false }));
    expect(text).toContain(
      'Not exact: no difference lasted, but the totals compared are not equal',
    );
    expect(text).not.toContain('Exact:');
  });

  it('lists differences', () => {
    const differences = ['coin 0x1 (available) is not on the ledger'];
    expect(lastLines(anAudit({ differences, isExact: false })).slice(-2)).toEqual([
      'Differences:',
      '  - coin 0x1 (available) is not on the ledger',
    ]);
  });

  it('is also JSON, with exact amounts as text', () => {
    const ledger = { coins: 1n, balance: 2n ** 64n };
    expect(JSON.parse(formatJson([anAudit({ ledger })]))).toMatchObject([
      { ledger: { coins: '1', balance: '18446744073709551616' }, isExact: true },
    ]);
  });
});
