import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { UsageSummary } from '../../generated/gateway-types.js';
import { usageQuery } from '../../api/queries.js';
import { Panel } from '../../elements/panel.js';
import { Loaded } from '../../elements/states.js';
import { TimeChart } from '../../elements/time-chart.js';
import { groupDigits } from '../../format/amounts.js';
import { barsBetween, beginOf, type Period, timeOfKey } from '../usage/usage-periods.js';

const DAY_MS = 86_400_000;
const charted: Readonly<Record<string, Period & { readonly name: string }>> = {
  hour: { name: 'last hour', bar: 'minute', ms: DAY_MS / 24 },
  day: { name: 'last 24 hours', bar: 'hour', ms: DAY_MS },
  week: { name: 'last 7 days', bar: 'day', ms: 7 * DAY_MS },
};
const LONGEST = { name: 'last 30 days', bar: 'day', ms: 30 * DAY_MS } as const;

/** Refused requests and executes over time; history counts them by token, not by code. */
export function RefusalsChart({
  period,
  token,
  code,
}: {
  readonly period: string;
  readonly token: string;
  readonly code: string;
}) {
  const choice = Object.hasOwn(charted, period) ? charted[period]! : LONGEST;
  const { name, bar } = choice;
  const from = useMemo(() => beginOf(choice, Date.now()), [choice]);
  const query = useQuery(
    usageQuery({ from, group_by: bar, ...(token !== '' && { token }) } as const),
  );
  const of = code === '' ? '' : 'of all codes, ';
  return (
    <Panel title="Refused over time" note={`${of}${name}, by ${bar} in UTC`}>
      <Loaded query={query} lines={2}>
        {(report) => <Bars report={report} bar={bar} />}
      </Loaded>
    </Panel>
  );
}

function Bars({ report, bar }: { readonly report: UsageSummary; readonly bar: Period['bar'] }) {
  const { times, values } = useMemo(() => refusedOverTime(report, bar), [report, bar]);
  const series = useMemo(() => [{ name: 'Refused', colour: '--warn', values }], [values]);
  return (
    <TimeChart
      times={times}
      series={series}
      bars
      whole
      utc
      summary={`Refused: ${groupDigits(String(report.total.refused))}, at most ${groupDigits(String(Math.max(0, ...values)))} in a ${bar}`}
    />
  );
}

/** The refused requests of each bar, also of those without any. */
function refusedOverTime(
  { from, to, rows }: Pick<UsageSummary, 'from' | 'to' | 'rows'>,
  bar: Period['bar'],
): { readonly times: readonly number[]; readonly values: readonly number[] } {
  const refused = new Map(rows.map((row) => [timeOfKey(row[bar] ?? ''), row.refused]));
  const times = barsBetween(from, Math.min(to, Date.now()), bar);
  return { times, values: times.map((time) => refused.get(time) ?? 0) };
}
