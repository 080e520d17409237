import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { LatencyPercentiles, LatencySummary } from '../../api/gateway-types.js';
import { latencyQuery } from '../../api/queries.js';
import { Panel } from '../../elements/panel.js';
import { Empty, Loaded } from '../../elements/states.js';
import { Legend, TimeChart } from '../../elements/time-chart.js';
import { formatDuration } from '../../format/times.js';
import { type ActivityPeriod, activityPeriods } from './activity-periods.js';
import { durationsOf } from './recent-figures.js';

const NAMES = [
  { key: 'slowest', name: '99th percentile', colour: '--warn' },
  { key: 'median', name: 'Median', colour: '--accent' },
  { key: 'queued', name: 'Queue, 99th percentile', colour: '--soft' },
] as const;

/** How long transactions took over an hour, a day or a month, and how long they waited in the queue. */
export function LatencyPanel({
  period,
  isPaused,
}: {
  readonly period: ActivityPeriod;
  readonly isPaused: boolean;
}) {
  const { bar, refreshMs } = activityPeriods[period];
  const query = useQuery({
    ...latencyQuery(bar),
    refetchInterval: isPaused ? false : refreshMs,
    placeholderData: keepPreviousData,
  });
  return (
    <Panel
      title="Latency"
      note={`claim to outcome, per ${bar}`}
      actions={<Legend series={NAMES} />}
    >
      <div className="min-h-56">
        <Loaded query={query}>
          {(report) =>
            report.total.transactions === 0 ? (
              <Empty title="No transaction was executed in this time" />
            ) : (
              <Chart report={report} />
            )
          }
        </Loaded>
      </div>
    </Panel>
  );
}

function Chart({ report }: { readonly report: LatencySummary }) {
  const durations = useMemo(() => durationsOf(report, Date.now()), [report]);
  const series = useMemo(
    () => NAMES.map(({ key, ...series }) => ({ ...series, values: durations[key] })),
    [durations],
  );
  const summary = describe(report);
  return (
    <>
      <TimeChart
        utc={report.by === 'day'}
        times={durations.times}
        series={series}
        format={formatDuration}
        summary={`Latency per ${report.by}. ${summary}`}
      />
      <p className="mt-1 text-xs text-soft">{summary}</p>
    </>
  );
}

function describe({ total }: LatencySummary): string {
  const { latency_ms: latency, queue_ms: queue } = total;
  const parts = [latency && inWords(latency), queue && `in the queue ${inWords(queue)}`];
  return `All together: ${parts.filter((part) => part !== null).join('; ')}.`;
}

function inWords({ p50, p99 }: LatencyPercentiles): string {
  return `median ${formatDuration(p50)}, 99th percentile ${formatDuration(p99)}`;
}
