import type { ReactNode } from 'react';
import type { StreamFigures } from '../../api/gateway-types.js';
import { groupDigits } from '../../format/amounts.js';
import { formatDuration } from '../../format/times.js';

const MINUTE_MS = 60_000;

/** The figures of the last minute, in one row. */
export function FiguresRow({ figures }: { readonly figures: StreamFigures | undefined }) {
  const { recent, fleet } = figures ?? {};
  const seconds = Math.floor((recent?.for_ms ?? MINUTE_MS) / 1_000);
  const time = seconds >= 60 ? 'last minute' : `last ${seconds} s`;
  const count = (value: number | undefined) => value !== undefined && groupDigits(String(value));
  const refused = recent && Object.values(recent.refused).reduce((sum, number) => sum + number, 0);
  const latency = recent?.latency_ms;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-3 xl:grid-cols-6">
      <Figure name="Sponsored" note={time}>
        {count(recent && recent.sponsored + recent.failed)}
      </Figure>
      <Figure name="Failed on the ledger" note={time}>
        {count(recent?.failed)}
      </Figure>
      <Figure name="Refused requests" note={time}>
        {count(refused)}
      </Figure>
      <Figure name="Took, median" note="claim to outcome">
        {latency && formatDuration(latency.p50)}
      </Figure>
      <Figure name="Took, 99th percentile" note="claim to outcome">
        {latency && formatDuration(latency.p99)}
      </Figure>
      <Figure name="Queue" note={fleet?.queue ? `${fleet.queue.active} active` : 'waiting'}>
        {count(fleet?.queue?.waiting)}
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
