import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Panel } from '../../elements/panel.js';
import { Loaded } from '../../elements/states.js';
import { Legend, type Series, TimeChart } from '../../elements/time-chart.js';
import { keyOfTime } from '../usage/usage-periods.js';
import { type Activity, activityOfUsage } from './overview-figures.js';
import { type OverviewPeriod, overviewPeriods } from './overview-periods.js';
import type { OverviewFigures } from './use-overview-figures.js';

type Bar = (typeof overviewPeriods)[OverviewPeriod]['bar'];

const NAMES = [
  { key: 'succeeded', name: 'Succeeded', colour: '--good' },
  { key: 'failed', name: 'Failed', colour: '--bad' },
  { key: 'refused', name: 'Refused', colour: '--warn' },
] as const;

/** Transactions and refused requests over a time. */
export function ActivityPanel({
  period,
  query,
}: {
  readonly period: OverviewPeriod;
  readonly query: OverviewFigures['usage'];
}) {
  const { bar } = overviewPeriods[period];
  const activity = useMemo(
    () => query.data && activityOfUsage(query.data, bar, Date.now()),
    [query.data, bar],
  );
  return (
    <Panel
      title="Transactions"
      note={`per ${bar}${bar === 'day' ? ', in UTC' : ''}`}
      actions={<Legend series={NAMES} />}
    >
      <Loaded query={query}>{() => activity && <Chart activity={activity} bar={bar} />}</Loaded>
    </Panel>
  );
}

function Chart({ activity, bar }: { readonly activity: Activity; readonly bar: Bar }) {
  const navigate = useNavigate();
  const series = useMemo(
    () => NAMES.map(({ key, ...own }): Series => ({ ...own, values: activity[key] })),
    [activity],
  );
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const summary = NAMES.map(
    ({ key, name }) => `${total(activity[key])} ${name.toLowerCase()}`,
  ).join(', ');
  const list = (time: number, chosen: Series | null) => {
    const period = keyOfTime(time, bar);
    const outcome = { Succeeded: 'success', Failed: 'failure' }[chosen?.name ?? ''];
    void navigate(
      chosen?.name === 'Refused'
        ? { to: '/refusals', search: { period } }
        : { to: '/sponsorships', search: { period, ...(outcome && { outcome }) } },
    );
  };
  return (
    <TimeChart
      bars
      whole
      utc={bar === 'day'}
      times={activity.times}
      series={series}
      summary={`Transactions per ${bar}: ${summary}`}
      onPick={list}
    />
  );
}
