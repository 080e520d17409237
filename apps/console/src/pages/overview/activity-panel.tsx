import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { SponsorshipSummary } from '../../api/gateway-types.js';
import { usageQuery } from '../../api/queries.js';
import { MOST_RECENT } from '../../api/recent-records.js';
import { Segments } from '../../elements/fields.js';
import { Panel } from '../../elements/panel.js';
import { Loaded } from '../../elements/states.js';
import { Legend, type Series, TimeChart } from '../../elements/time-chart.js';
import { groupDigits } from '../../format/amounts.js';
import { beginOf } from '../usage/usage-periods.js';
import { type Activity, activityByMinute, activityOfUsage } from './recent-figures.js';

const periods = { hour: 'Hour', day: 'Day', month: 'Month' } as const;
const bars = { hour: 'minute', day: 'hour', month: 'day' } as const;
const NAMES = [
  { key: 'succeeded', name: 'Succeeded', colour: '--accent' },
  { key: 'failed', name: 'Failed', colour: '--bad' },
  { key: 'refused', name: 'Refused', colour: '--warn' },
] as const;

/** Transactions over an hour, a day or a month. */
export function ActivityPanel({
  recent,
}: {
  readonly recent: UseQueryResult<readonly SponsorshipSummary[]>;
}) {
  const [period, setPeriod] = useState<keyof typeof periods>('hour');
  return (
    <Panel
      title="Transactions"
      note={`per ${bars[period]}`}
      actions={
        <div className="flex flex-wrap items-center gap-4">
          <Legend series={NAMES} />
          <Segments label="Time" options={periods} value={period} onChoose={setPeriod} />
        </div>
      }
    >
      {period === 'hour' ? <LastHour query={recent} /> : <Longer period={period} />}
    </Panel>
  );
}

function LastHour({ query }: { readonly query: UseQueryResult<readonly SponsorshipSummary[]> }) {
  const activity = useMemo(() => activityByMinute(query.data ?? [], Date.now()), [query.data]);
  return (
    <Loaded query={query}>
      {(recent) => (
        <>
          <Chart activity={activity} bar="minute" />
          {recent.length >= MOST_RECENT && (
            <p className="text-xs text-soft">
              From the newest {groupDigits(String(MOST_RECENT))} sponsorships: there were more in
              this hour.
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

function Longer({ period }: { readonly period: 'day' | 'month' }) {
  const bar = period === 'day' ? 'hour' : 'day';
  const from = useMemo(() => beginOf(period, Date.now()), [period]);
  const query = useQuery({ ...usageQuery({ from, group_by: bar }), refetchInterval: 10_000 });
  const activity = useMemo(
    () => query.data && activityOfUsage(query.data, bar, Date.now()),
    [query.data, bar],
  );
  return <Loaded query={query}>{() => activity && <Chart activity={activity} bar={bar} />}</Loaded>;
}

function Chart({ activity, bar }: { readonly activity: Activity; readonly bar: string }) {
  const series = useMemo(() => stack(activity), [activity]);
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const summary = NAMES.map(
    ({ key, name }) => `${total(activity[key])} ${name.toLowerCase()}`,
  ).join(', ');
  return (
    <TimeChart
      bars
      times={activity.times}
      series={series}
      summary={`Transactions per ${bar}: ${summary}`}
    />
  );
}

/** Each bar shows its part above those that follow: all, then what did not succeed, then what was refused. */
function stack(activity: Activity): Series[] {
  return NAMES.map(({ name, colour }, index) => ({
    name,
    colour,
    values: activity.times.map((_at, place) =>
      NAMES.slice(index).reduce((sum, { key }) => sum + (activity[key][place] ?? 0), 0),
    ),
  }));
}
