import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { FiguresByKey, UsageSummary } from '../../generated/gateway-types.js';
import { usageQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Coins, Identifier, NONE } from '../../elements/facts.js';
import { Choice, Segments } from '../../elements/fields.js';
import { Page } from '../../elements/page.js';
import { Panel } from '../../elements/panel.js';
import { PlainTable } from '../../elements/plain-table.js';
import { Empty, Loaded } from '../../elements/states.js';
import { Legend, TimeChart } from '../../elements/time-chart.js';
import { coinsForChart, groupDigits } from '../../format/amounts.js';
import { shortenFunction } from '../../format/identifiers.js';
import { CsvButton } from './csv-button.js';
import {
  barsBetween,
  beginOf,
  keyOfTime,
  timeOfKey,
  type UsagePeriod,
  usagePeriods,
} from './usage-periods.js';

const MOST_ROWS = 200;

export const groupings = {
  token: 'Token',
  sender: 'Sender',
  function: 'Function',
  package: 'Package',
  user: 'User',
  sponsor: 'Sponsor',
  day: 'Day',
  month: 'Month',
} as const;

export type Grouping = keyof typeof groupings;

const periodNames = Object.fromEntries(
  Object.entries(usagePeriods).map(([key, { name }]) => [key, name]),
) as Record<UsagePeriod, string>;

/** The cost of sponsoring: by time, and by token, sender or function. */
export function UsagePage() {
  const { period = 'month', by = 'token' } = useSearch({ from: '/signed-in/usage' });
  const navigate = useNavigate({ from: '/usage' });
  const { may, currency } = useCaller();
  const from = useMemo(() => beginOf(usagePeriods[period], Date.now()), [period]);
  const { bar } = usagePeriods[period];
  const overTime = useQuery(usageQuery({ from, group_by: bar }));
  const byKey = useQuery(usageQuery({ from, group_by: by }));
  return (
    <Page
      title="Usage"
      lead={may.reads ? 'What all tokens have spent.' : 'What your token has spent.'}
      actions={
        <Segments
          label="Time"
          options={periodNames}
          value={period}
          onChoose={(chosen) => void navigate({ search: { period: chosen, by }, replace: true })}
        />
      }
    >
      <Totals report={overTime.data} />
      <Panel
        title="Gas over time"
        note={`${currency} per ${bar}, in UTC`}
        actions={<Legend series={LEGEND} />}
      >
        <Loaded query={overTime}>{(report) => <GasChart report={report} bar={bar} />}</Loaded>
      </Panel>
      <Panel
        title="Gas by"
        flush
        actions={
          <div className="flex items-center gap-2">
            <Choice
              label="Group by"
              hideLabel
              options={groupings}
              value={by}
              onChoose={(chosen) =>
                void navigate({ search: { period, by: chosen as Grouping }, replace: true })
              }
            />
            <CsvButton query={{ from, group_by: csvGroups(bar, by) }} />
          </div>
        }
      >
        <Loaded query={byKey}>{(report) => <UsageTable report={report} by={by} />}</Loaded>
      </Panel>
    </Page>
  );
}

/** The groups of a CSV: each line has a time and these. */
function csvGroups(bar: string, by: Grouping): string {
  if (by === 'month') return 'month,token';
  return `${bar},${by === 'day' ? 'token' : by}`;
}

const LEGEND = [{ name: 'Gas', colour: '--accent' }];

function Totals({ report }: { readonly report: UsageSummary | undefined }) {
  const total = report?.total;
  const figures: readonly (readonly [string, React.ReactNode])[] = [
    ['Gas', total && <Coins amount={total.gas} />],
    ['Transactions', total && groupDigits(String(total.transactions))],
    ['Failed on the ledger', total && groupDigits(String(total.failed))],
    ['Refused requests', total && groupDigits(String(total.refused))],
  ];
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-4">
      {figures.map(([name, value]) => (
        <div key={name} className="bg-surface px-4 py-3">
          <dt className="text-xs text-soft">{name}</dt>
          <dd className="figures mt-0.5 text-lg font-semibold">{value ?? NONE}</dd>
        </div>
      ))}
    </dl>
  );
}

function GasChart({
  report,
  bar,
}: {
  readonly report: UsageSummary;
  readonly bar: 'hour' | 'day';
}) {
  const { currency } = useCaller();
  const navigate = useNavigate();
  const chart = useMemo(() => {
    const times = barsBetween(report.from, Math.min(report.to, Date.now()), bar);
    const gas = new Map(
      report.rows.map((row) => [timeOfKey(row[bar] ?? ''), coinsForChart(row.gas)]),
    );
    const values = times.map((time) => gas.get(time) ?? 0);
    return { times, series: [{ name: 'Gas', colour: '--accent', values }] };
  }, [report, bar]);
  return (
    <TimeChart
      {...chart}
      bars
      utc
      summary={`Gas in each ${bar}: ${chart.times.length} bars, the highest ${Math.max(...chart.series[0]!.values)} ${currency}`}
      empty="No gas was spent. Choose a longer time."
      onPick={(time) =>
        void navigate({
          to: '/sponsorships',
          search: { period: keyOfTime(time, bar), status: 'executed' },
        })
      }
    />
  );
}

function UsageTable({ report, by }: { readonly report: UsageSummary; readonly by: Grouping }) {
  const rows = useMemo(
    () => report.rows.toSorted((a, b) => compare(BigInt(b.gas), BigInt(a.gas))),
    [report],
  );
  if (rows.length === 0) {
    return <Empty title="Nothing was spent in this time">Choose a longer time.</Empty>;
  }
  return (
    <>
      <PlainTable<FiguresByKey>
        label={`Usage by ${groupings[by].toLowerCase()}`}
        rows={rows.slice(0, MOST_ROWS)}
        keyOf={(row) => row[by] ?? ''}
        columns={[
          { name: groupings[by], render: (row) => <Key by={by} value={row[by] ?? ''} /> },
          { name: 'Gas', numeric: true, render: ({ gas }) => <Coins amount={gas} exact /> },
          {
            name: 'Transactions',
            numeric: true,
            render: (row) => groupDigits(String(row.transactions)),
          },
          { name: 'Failed', numeric: true, render: (row) => groupDigits(String(row.failed)) },
          { name: 'Refused', numeric: true, render: (row) => groupDigits(String(row.refused)) },
        ]}
      />
      {rows.length > MOST_ROWS && (
        <p className="border-t border-line px-4 py-2 text-xs text-soft">
          The {MOST_ROWS} most expensive of {rows.length}; the CSV has all.
        </p>
      )}
    </>
  );
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

function Key({ by, value }: { readonly by: Grouping; readonly value: string }) {
  if (value === '') return <span className="text-soft">none</span>;
  if (by === 'token' || by === 'day' || by === 'month') return value;
  if (by === 'function') {
    return (
      <code className="font-mono text-xs" title={value}>
        {shortenFunction(value)}
      </code>
    );
  }
  return <Identifier id={value} kept={8} />;
}
