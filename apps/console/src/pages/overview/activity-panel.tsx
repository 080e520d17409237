import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usageQuery } from '../../api/queries.js';
import { Segments } from '../../elements/fields.js';
import { Panel } from '../../elements/panel.js';
import { Loaded } from '../../elements/states.js';
import { Legend, type Series, TimeChart } from '../../elements/time-chart.js';
import { beginOf } from '../usage/usage-periods.js';
import { type ActivityPeriod, activityPeriods, periodNames } from './activity-periods.js';
import { type Activity, activityOfUsage } from './recent-figures.js';

const NAMES = [
  { key: 'succeeded', name: 'Succeeded', colour: '--accent' },
  { key: 'failed', name: 'Failed', colour: '--bad' },
  { key: 'refused', name: 'Refused', colour: '--warn' },
] as const;

/** Transactions and refused requests over an hour, a day or a month. */
export function ActivityPanel({
  period,
  onPeriod,
  isPaused,
}: {
  readonly period: ActivityPeriod;
  readonly onPeriod: (period: ActivityPeriod) => void;
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
  return (
    <Panel
      title="Transactions"
      note={`per ${bar}${bar === 'day' ? ', in UTC' : ''}`}
      actions={
        <div className="flex flex-wrap items-center gap-4">
          <Legend series={NAMES} />
          <Segments label="Time" options={periodNames} value={period} onChoose={onPeriod} />
        </div>
      }
    >
      <Loaded query={query}>{() => activity && <Chart activity={activity} bar={bar} />}</Loaded>
    </Panel>
  );
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
      whole
      utc={bar === 'day'}
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
