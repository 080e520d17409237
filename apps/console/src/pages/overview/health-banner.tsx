import { explainError } from '../../api/explain-error.js';
import { GatewayError } from '../../api/gateway-error.js';
import type { Health } from './assess-health.js';

const looks = {
  healthy: ['bg-good', 'border-l-good'],
  attention: ['bg-warn', 'border-l-warn'],
  stopped: ['bg-bad', 'border-l-bad'],
  unknown: ['bg-strong', 'border-l-strong'],
} as const;

function unreadable(error: Error): Health {
  const code = error instanceof GatewayError ? error.code : 'INTERNAL';
  const { cause, remedy } = explainError(code);
  return { level: 'unknown', title: 'The state of the fleet is unknown', cause, remedy };
}

/** The fleet in one line. It keeps its height while it is loading, so that nothing jumps. */
export function HealthBanner({
  health,
  error,
}: {
  readonly health: Health | null | undefined;
  readonly error: Error | null;
}) {
  const shown = error ? unreadable(error) : health;
  const [dot, edge] = looks[shown?.level ?? 'unknown'];
  return (
    <section
      aria-label="Health"
      aria-live="polite"
      className={`flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 rounded-lg border border-l-4 border-line bg-surface px-4 py-3 ${edge}`}
    >
      <p className="flex items-center gap-2.5 text-base font-semibold">
        <span aria-hidden="true" className={`size-2.5 rounded-full ${dot}`} />
        {shown?.title ?? 'Looking at the fleet …'}
      </p>
      {shown && (
        <p className="min-w-0 break-words text-soft">
          {shown.cause}
          {shown.remedy !== '' && <span className="text-text"> {shown.remedy}</span>}
        </p>
      )}
    </section>
  );
}
