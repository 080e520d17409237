import { Command } from 'commander';
import type { UsageCorrection, UsageFigures, UsageResponse } from '@forecourt/contracts';
import { formatAmount } from '@forecourt/ledger';
import { callRoute, sendOnce } from '../terminal/call-route.js';
import { readConnection } from '../terminal/connection-config.js';
import { formatJson, formatTable } from '../terminal/format-table.js';
import { readTime } from '../terminal/read-arguments.js';

type Usage = UsageResponse['result'];

const FILTERS = ['token', 'user', 'sender', 'sponsor'] as const;

type Options = { readonly [Filter in (typeof FILTERS)[number]]?: string } & {
  readonly from?: string;
  readonly to?: string;
  readonly by?: string;
  readonly csv?: boolean;
  readonly json?: boolean;
};

/** `usage`: numbers of transactions and their gas. */
export function usageCommand(): Command {
  return new Command('usage')
    .option('--from <time>', 'from then on: 2026-11-25, 2026-11-25T13:00Z, or ms since 1970')
    .option('--to <time>', 'until then')
    .option(
      '--by <keys>',
      'a row for each: month, day, hour, minute, token, user, sender, sponsor, package, function, code',
    )
    .option('--token <name>', 'only of this token')
    .option('--user <address>', 'only of this user of a user’s token')
    .option('--sender <address>', 'only of this sender')
    .option('--sponsor <address>', 'only of this sponsor')
    .option('--csv', 'as CSV')
    .option('--json', 'for programs')
    .addHelpText('after', '\nTokens see their own usage; the roles operator and auditor see all.')
    .action(async (options: Options) => {
      const path = `/v1/usage?${readQuery(options).toString()}`;
      if (options.csv) return printCsv(`${path}&format=csv`);
      const usage = await callRoute<Usage>(readConnection(), 'GET', path);
      console.log(options.json ? formatJson(usage) : formatUsage(usage));
    });
}

async function printCsv(path: string): Promise<void> {
  const answer = await sendOnce(readConnection(), 'GET', path);
  const text = await answer.text();
  if (!answer.ok) throw new Error((JSON.parse(text) as { error: string }).error);
  process.stdout.write(text);
}

function readQuery({ from, to, by, ...filters }: Options): URLSearchParams {
  const query = new URLSearchParams();
  if (from !== undefined) query.set('from', String(readTime('--from', from)));
  if (to !== undefined) query.set('to', String(readTime('--to', to)));
  if (by !== undefined) query.set('group_by', by);
  for (const name of FILTERS) {
    const value = filters[name];
    if (value !== undefined) query.set(name, value);
  }
  return query;
}

/** Usage as a table for people, with the total in its last row, and what was corrected below. */
export function formatUsage({ group_by: keys, rows, total, corrections }: Usage): string {
  const figures = ({ transactions, failed, refused, gas }: UsageFigures) => [
    ...[transactions, failed, refused].map(String),
    formatAmount(gas),
  ];
  const heading = [...keys, 'transactions', 'failed', 'refused', 'gas'];
  const listed = rows.map((row) => [...keys.map((key) => row[key] ?? ''), ...figures(row)]);
  const last = keys.map((_, index) => (index === 0 ? 'total' : ''));
  const table = keys.length === 0 ? [figures(total)] : [...listed, [...last, ...figures(total)]];
  return [formatTable([heading, ...table]), ...corrections.flatMap(describeCorrection)].join('\n');
}

function describeCorrection({ cause, transactions, gas, unexplained }: UsageCorrection): string[] {
  return [
    ...(transactions > 0
      ? [
          `Of these, ${transactions} transactions with gas of ${formatAmount(gas)} were recorded from the ledger (${cause}).`,
        ]
      : []),
    ...(unexplained !== '0'
      ? [
          `Besides, ${formatAmount(unexplained)} went where the ledger no longer shows it (${cause}).`,
        ]
      : []),
  ];
}
