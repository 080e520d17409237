import type { ReactNode } from 'react';
import type { Fleet, RefusalSummary, SponsorshipSummary } from '../../api/gateway-types.js';
import { groupDigits } from '../../format/amounts.js';
import { formatDuration } from '../../format/times.js';
import { durationsOf } from './recent-figures.js';

const MINUTE_MS = 60_000;
/** The rate is that of five minutes: one minute is too noisy. */
const RATE_MINUTES = 5;

/** The figures of now, in one row. */
export function FiguresRow({
  recent,
  refusals,
  fleet,
}: {
  readonly recent: readonly SponsorshipSummary[] | undefined;
  readonly refusals: readonly RefusalSummary[] | undefined;
  readonly fleet: Fleet | undefined;
}) {
  const durations = recent && durationsOf(recent);
  const since = Date.now() - RATE_MINUTES * MINUTE_MS;
  const rate = recent?.filter((one) => one.outcome !== null && one.created_at >= since).length;
  const failed = recent?.filter(({ outcome }) => outcome === 'failure').length;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-3 xl:grid-cols-6">
      <Figure name="Sponsored per minute" note={`mean of ${RATE_MINUTES} min`}>
        {rate !== undefined && (rate / RATE_MINUTES).toFixed(1)}
      </Figure>
      <Figure name="Failed on the ledger" note="last hour">
        {failed !== undefined && groupDigits(String(failed))}
      </Figure>
      <Figure name="Refused requests" note="last hour">
        {refusals && groupDigits(String(refusals.length))}
      </Figure>
      <Figure name="Took, median" note="reservation to outcome">
        {durations && formatDuration(durations.p50)}
      </Figure>
      <Figure name="Took, 99th percentile" note="reservation to outcome">
        {durations && formatDuration(durations.p99)}
      </Figure>
      <Figure name="Queue" note={fleet?.queue ? `${fleet.queue.active} active` : 'waiting'}>
        {fleet?.queue && groupDigits(String(fleet.queue.waiting))}
      </Figure>
    </dl>
  );
}

function Figure({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note: string;
  readonly children: ReactNode;
}) {
  const isKnown = children !== undefined && children !== null && children !== false;
  return (
    <div className="bg-surface px-4 py-3">
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="figures mt-0.5 text-lg font-semibold">{isKnown ? children : '–'}</dd>
      <dd className="text-2xs text-soft">{note}</dd>
    </div>
  );
}
