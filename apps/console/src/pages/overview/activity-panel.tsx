import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SponsorshipSummary } from '../../api/gateway-types.js';
import { usageQuery } from '../../api/queries.js';
import { MOST_RECENT } from '../../api/recent-records.js';
import { Segments } from '../../elements/fields.js';
import { Panel } from '../../elements/panel.js';
import { Loaded } from '../../elements/states.js';
import { Legend, type Series, TimeChart } from '../../elements/time-chart.js';
import { groupDigits } from '../../format/amounts.js';
import { beginOf } from '../usage/usage-periods.js';
import { type ActivityPeriod, activityPeriods, periodNames } from './activity-periods.js';
import { type Activity, activityByMinute, activityOfUsage } from './recent-figures.js';

const NAMES = [
  { key: 'succeeded', name: 'Succeeded', colour: '--accent' },
  { key: 'failed', name: 'Failed', colour: '--bad' },
  { key: 'refused', name: 'Refused', colour: '--warn' },
] as const;

/** Transactions over an hour, a day or a month. */
export function ActivityPanel({
  recent,
  period,
  onPeriod,
  isPaused,
}: {
  readonly recent: UseQueryResult<readonly SponsorshipSummary[]>;
  readonly period: ActivityPeriod;
  readonly onPeriod: (period: ActivityPeriod) => void;
  readonly isPaused: boolean;
}) {
  return (
    <Panel
      title="Transactions"
      note={`per ${activityPeriods[period].bar}`}
      actions={
        <div className="flex flex-wrap items-center gap-4">
          <Legend series={NAMES} />
          <Segments label="Time" options={periodNames} value={period} onChoose={onPeriod} />
        </div>
      }
    >
      {period === 'hour' ? (
        <LastHour query={recent} />
      ) : (
        <Longer period={period} isPaused={isPaused} />
      )}
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

function Longer({
  period,
  isPaused,
}: {
  readonly period: 'day' | 'month';
  readonly isPaused: boolean;
}) {
  const { bar, refreshMs } = activityPeriods[period];
  // At the beginning of a bar: the query is a new one once for each.
  const from = beginOf(activityPeriods[period], Date.now());
  const query = useQuery({
    ...usageQuery({ from, group_by: bar }),
    refetchInterval: isPaused ? false : refreshMs,
    placeholderData: (before) => (before?.group_by[0] === bar ? before : undefined),
  });
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
