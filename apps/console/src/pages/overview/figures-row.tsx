import type { ReactNode } from 'react';
import { Coins } from '../../elements/facts.js';
import { groupDigits } from '../../format/amounts.js';
import { formatDuration } from '../../format/times.js';
import { changeOf, changeOfRate, headFigures } from './overview-figures.js';
import { type OverviewPeriod, periodsInWords, timesBefore } from './overview-periods.js';
import type { OverviewFigures } from './use-overview-figures.js';

/** The figures of a time in one row, each compared with the time before. */
export function FiguresRow({
  period,
  figures,
}: {
  readonly period: OverviewPeriod;
  readonly figures: OverviewFigures;
}) {
  const usage = figures.usage.data;
  const earlier = figures.usageBefore.data;
  const now = usage && headFigures(usage, figures.latency.data);
  const before = earlier ? headFigures(earlier, figures.latencyBefore.data) : null;
  const compare = (name: 'sponsored' | 'refused' | 'gas' | 'p50' | 'p99') =>
    now && changeOf(now[name], before?.[name] ?? null);
  const count = (value: number | undefined) => value !== undefined && groupDigits(String(value));
  const took = (ms: number | null | undefined) => typeof ms === 'number' && formatDuration(ms);
  return (
    <dl
      aria-label={`Figures of the ${periodsInWords[period]}`}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-3 xl:grid-cols-6"
    >
      <Figure before={timesBefore[period]} name="Sponsored" change={compare('sponsored')}>
        {count(now?.sponsored)}
      </Figure>
      <Figure
        before={timesBefore[period]}
        name="Success rate"
        change={now && changeOfRate(now.successRate, before?.successRate ?? null)}
      >
        {typeof now?.successRate === 'number' && formatRate(now.successRate)}
      </Figure>
      <Figure before={timesBefore[period]} name="Refused requests" change={compare('refused')}>
        {count(now?.refused)}
      </Figure>
      <Figure before={timesBefore[period]} name="Gas spent" change={compare('gas')}>
        {usage && <Coins amount={usage.total.gas} />}
      </Figure>
      <Figure before={timesBefore[period]} name="Took, median" change={compare('p50')}>
        {took(now?.p50)}
      </Figure>
      <Figure before={timesBefore[period]} name="Took, 99th percentile" change={compare('p99')}>
        {took(now?.p99)}
      </Figure>
    </dl>
  );
}

/** Only what is whole is 100 %. */
function formatRate(rate: number): string {
  const percent = rate * 100;
  const digits = percent >= 99 && percent < 100 ? 2 : 1;
  const rounded = Math.floor(percent * 10 ** digits) / 10 ** digits;
  return `${rounded} %`;
}

function Figure({
  name,
  change,
  before,
  children,
}: {
  readonly name: string;
  readonly change: string | null | undefined;
  /** The time before, in words. */
  readonly before: string;
  readonly children: ReactNode;
}) {
  const isKnown = children !== undefined && children !== false;
  return (
    <div className="bg-surface px-4 py-3">
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="figures mt-0.5 text-lg font-semibold">{isKnown ? children : '–'}</dd>
      <dd className="figures text-2xs text-soft">{`${change ?? 'nothing'} ${before}`}</dd>
    </div>
  );
}
