import { Link } from '@tanstack/react-router';
import { explainError } from '../../api/explain-error.js';
import { Panel } from '../../elements/panel.js';
import { Empty, Loaded } from '../../elements/states.js';
import { groupDigits } from '../../format/amounts.js';
import { codesOfUsage } from './overview-figures.js';
import { type OverviewPeriod, periodsInWords } from './overview-periods.js';
import type { OverviewFigures } from './use-overview-figures.js';

const MOST = 8;

/** The reasons of a time’s refusals, the most frequent first. */
export function RefusedReasons({
  period,
  query,
}: {
  readonly period: OverviewPeriod;
  readonly query: OverviewFigures['codes'];
}) {
  return (
    <Panel title="Refusals by reason" note={periodsInWords[period]} flush>
      <Loaded query={query}>
        {(report) => <Reasons codes={codesOfUsage(report)} period={period} />}
      </Loaded>
    </Panel>
  );
}

function Reasons({
  codes,
  period,
}: {
  readonly codes: ReturnType<typeof codesOfUsage>;
  readonly period: OverviewPeriod;
}) {
  if (codes.length === 0) return <Empty title="Nothing was refused" />;
  const others = codes.slice(MOST).reduce((sum, [, count]) => sum + count, 0);
  return (
    <>
      <ul>
        {codes.slice(0, MOST).map(([code, count]) => (
          <li key={code} className="border-b border-line last:border-0">
            <Link
              to="/refusals"
              search={{ code, period }}
              className="flex items-center gap-3 px-4 py-2 hover:bg-sunken/60"
            >
              <span className="figures min-w-10 shrink-0 text-right font-semibold">
                {groupDigits(String(count))}
              </span>
              <span className="min-w-0">
                <span className="block truncate">{explainError(code).cause}</span>
                <span className="block truncate font-mono text-2xs text-soft">{code}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p className="border-t border-line px-4 py-2 text-xs text-soft">
          {groupDigits(String(others))} for {codes.length - MOST} other reasons
        </p>
      )}
    </>
  );
}
