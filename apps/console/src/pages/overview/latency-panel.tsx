import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { LatencyPercentiles, LatencySummary } from '../../generated/gateway-types.js';
import { Panel } from '../../elements/panel.js';
import { Loaded } from '../../elements/states.js';
import { Legend, TimeChart } from '../../elements/time-chart.js';
import { groupDigits } from '../../format/amounts.js';
import { formatDuration } from '../../format/times.js';
import { keyOfTime } from '../usage/usage-periods.js';
import { durationsOf } from './overview-figures.js';
import { type OverviewPeriod, overviewPeriods } from './overview-periods.js';
import type { OverviewFigures } from './use-overview-figures.js';

const NAMES = [
  { key: 'slowest', name: '99th percentile', colour: '--latency' },
  { key: 'median', name: 'Median', colour: '--latency-soft' },
  { key: 'queued', name: 'Queue, 99th percentile', colour: '--latency-soft', dashed: true },
] as const;

/**
 * How long transactions took over a time, and how long they waited in the queue. `waiting`: how many wait
 * now.
 */
export function LatencyPanel({
  period,
  query,
  waiting,
}: {
  readonly period: OverviewPeriod;
  readonly query: OverviewFigures['latency'];
  readonly waiting: number | undefined;
}) {
  const now = waiting === undefined ? '' : `; ${groupDigits(String(waiting))} wait now`;
  return (
    <Panel
      title="Latency"
      note={`claim to outcome, per ${overviewPeriods[period].bar}${now}`}
      actions={<Legend series={NAMES} />}
    >
      <Loaded query={query}>{(report) => <Chart report={report} />}</Loaded>
    </Panel>
  );
}

function Chart({ report }: { readonly report: LatencySummary }) {
  const navigate = useNavigate();
  const durations = useMemo(() => durationsOf(report, Date.now()), [report]);
  const series = useMemo(
    () => NAMES.map(({ key, ...series }) => ({ ...series, values: durations[key] })),
    [durations],
  );
  const summary = describe(report);
  const list = (time: number) =>
    void navigate({
      to: '/sponsorships',
      search: { period: keyOfTime(time, report.by), status: 'executed' },
    });
  return (
    <>
      <TimeChart
        log
        utc={report.by === 'day'}
        times={durations.times}
        series={series}
        format={formatDuration}
        summary={`Latency per ${report.by}. ${summary}`}
        empty="No transaction was executed."
        onPick={list}
      />
      <p className="mt-1 text-xs text-soft">{report.total.transactions > 0 && summary}</p>
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
