import {
  type BothSides,
  coinStates,
  type CoinSum,
  type FoundTotals,
  type PoolAudit,
} from '@forecourt/coin-store';
import { formatAmount } from '@forecourt/ledger';

const COLUMNS = [14, 10, 24] as const;

/** Formats an audit for people. */
export function formatAudit(audit: PoolAudit): string {
  const rows = coinStates.map((state) => [
    state,
    String(audit.totals.coins[state]),
    formatAmount(audit.totals.balance[state]),
  ]);
  const sum = (part: 'coins' | 'balance') =>
    coinStates.reduce((total, state) => total + audit.totals[part][state], 0n);
  return [
    `Sponsor ${audit.sponsor}`,
    line(['state', 'coins', 'balance']),
    ...rows.map(line),
    line(['pool', String(sum('coins')), formatAmount(sum('balance'))]),
    line(['ledger', String(audit.ledger.coins), formatAmount(audit.ledger.balance)]),
    `smashed ${formatAmount(audit.totals.smashed)}, gas charged ${formatAmount(audit.totals.gasCharged)}`,
    ...describeFound(audit.totals.found),
    `Compared one by one: ${describe(audit.compared)}.`,
    `Not compared, because transactions may be changing them: ${describe(audit.inFlight)}.`,
    judge(audit),
    ...audit.differences.map((one) => `  - ${one}`),
  ].join('\n');
}

function describeFound({ transactions, gas, unexplained }: FoundTotals): string[] {
  if (gas === 0n && transactions === 0n && unexplained === 0n) return [];
  return [
    `Found on the ledger, where the pool had no record: ${transactions} sponsored transactions, gas of ${formatAmount(gas)} in all; ${formatAmount(unexplained)} that no transaction explains.`,
  ];
}

function judge({ differences, isExact, inFlight }: PoolAudit): string {
  if (differences.length > 0) return 'Differences:';
  if (!isExact) {
    return 'Not exact: no difference lasted, but the totals compared are not equal, because the pool was changing. Run the audit again when less is in flight.';
  }
  const isComplete = inFlight.pool.coins + inFlight.ledger.coins === 0n;
  return isComplete ? 'Exact: every coin agrees.' : 'Exact in what was compared.';
}

function describe({ pool, ledger }: BothSides): string {
  return `${count(pool)} in the pool, ${count(ledger)} on the ledger`;
}

function count({ coins, balance }: CoinSum): string {
  return `${coins} ${coins === 1n ? 'coin' : 'coins'} with a balance of ${formatAmount(balance)}`;
}

function line(cells: readonly string[]): string {
  const [state = '', coins = '', balance = ''] = cells;
  return `  ${state.padEnd(COLUMNS[0])}${coins.padStart(COLUMNS[1])}${balance.padStart(COLUMNS[2])}`;
}
