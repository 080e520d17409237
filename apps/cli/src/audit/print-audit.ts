import { coinStates, type PoolAudit } from '@forecourt/coin-store';

const COLUMNS = [14, 10, 24] as const;

/** Formats an audit for people. */
export function printAudit(audit: PoolAudit): string {
  const rows = coinStates.map((state) => [
    state,
    String(audit.totals.coins[state]),
    String(audit.totals.balance[state]),
  ]);
  const sum = (part: 'coins' | 'balance') =>
    String(coinStates.reduce((total, state) => total + audit.totals[part][state], 0n));
  return [
    `Sponsor ${audit.sponsor}`,
    line(['state', 'coins', 'balance']),
    ...rows.map(line),
    line(['pool', sum('coins'), sum('balance')]),
    line(['ledger', String(audit.ledger.coins), String(audit.ledger.balance)]),
    `smashed ${audit.totals.smashed}, gas charged ${audit.totals.gasCharged}`,
    audit.differences.length === 0 ? 'Exact: no differences.' : 'Differences:',
    ...audit.differences.map((one) => `  - ${one}`),
  ].join('\n');
}

function line(cells: readonly string[]): string {
  const [state = '', coins = '', balance = ''] = cells;
  return `  ${state.padEnd(COLUMNS[0])}${coins.padStart(COLUMNS[1])}${balance.padStart(COLUMNS[2])}`;
}

/** Formats an audit as JSON; amounts are decimal strings. */
export function auditToJson(audits: readonly PoolAudit[]): string {
  return JSON.stringify(audits, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
