import { Link } from '@tanstack/react-router';
import { explainError } from '../../api/explain-error.js';
import { GatewayError } from '../../api/gateway-error.js';
import type { Finding } from './assess-health.js';

const looks = {
  healthy: ['bg-good', 'border-l-good'],
  attention: ['bg-warn', 'border-l-warn'],
  stopped: ['bg-bad', 'border-l-bad'],
  unknown: ['bg-strong', 'border-l-strong'],
} as const;

const pageNames = {
  '/pool': 'Pool',
  '/refusals': 'Refusals',
  '/webhooks': 'Webhooks',
  '/events': 'Events',
  '/access': 'Access',
} as const;

type Shown = Omit<Finding, 'level'> & { readonly level: keyof typeof looks };

const HEALTHY: Shown = {
  level: 'healthy',
  title: 'Sponsoring works',
  cause: 'Every sponsor has coins, the ledger answers, callers are served, and nothing is paused.',
  remedy: '',
  page: null,
};
const LOOKING: Shown = {
  level: 'unknown',
  title: 'Looking at the fleet …',
  cause: '',
  remedy: '',
  page: null,
};

function unreadable(error: Error): Shown {
  const code = error instanceof GatewayError ? error.code : 'INTERNAL';
  const title = 'The state of the fleet is unknown';
  return { level: 'unknown', title, ...explainError(code), page: null };
}

/**
 * Everything that is wrong with the fleet, the gravest first. It keeps its height while it is loading, so
 * that nothing jumps.
 */
export function HealthBanner({
  findings,
  error,
}: {
  readonly findings: readonly Finding[] | null | undefined;
  readonly error: Error | null;
}) {
  const known = findings?.length === 0 ? [HEALTHY] : (findings ?? [LOOKING]);
  const banner = error ? [unreadable(error)] : known;
  const [, edge] = looks[banner[0]!.level];
  return (
    <section
      aria-label="Health"
      aria-live="polite"
      className={`rounded-lg border border-l-4 border-line bg-surface ${edge}`}
    >
      <ul>
        {banner.map((finding, index) => (
          <Line key={`${finding.title} ${index}`} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

function Line({
  finding: { level, title, cause, remedy, page, code },
}: {
  readonly finding: Shown;
}) {
  return (
    <li className="grid min-h-14 items-center gap-x-4 gap-y-0.5 border-b border-line px-4 py-2.5 last:border-0 md:grid-cols-[17rem_minmax(0,1fr)_auto]">
      <p className="flex items-center gap-2.5 font-semibold">
        <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-full ${looks[level][0]}`} />
        {title}
      </p>
      <p className="min-w-0 break-words text-soft">
        {cause} {remedy !== '' && <span className="text-text">{remedy}</span>}
      </p>
      {page !== null && (
        <Link
          to={page}
          search={code === undefined ? {} : { code }}
          className="justify-self-start text-accent underline-offset-2 hover:underline"
        >
          {pageNames[page]}
        </Link>
      )}
    </li>
  );
}
