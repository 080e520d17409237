import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { explainError } from '../../api/explain-error.js';
import type { RefusalSummary } from '../../api/gateway-types.js';
import { MOST_RECENT } from '../../api/recent-records.js';
import { Panel } from '../../elements/panel.js';
import { Empty, Loaded } from '../../elements/states.js';
import { countCodes } from './recent-figures.js';

const MOST = 6;

/** The reasons of the last hour’s refusals. */
export function RefusedReasons({
  query,
}: {
  readonly query: UseQueryResult<readonly RefusalSummary[]>;
}) {
  const isPart = (query.data?.length ?? 0) >= MOST_RECENT;
  return (
    <Panel
      title="Refusals by reason"
      note={isPart ? `newest ${MOST_RECENT} of the last hour` : 'last hour'}
      flush
    >
      <Loaded query={query}>
        {(refusals) =>
          refusals.length === 0 ? (
            <Empty title="Nothing was refused" />
          ) : (
            <ul>
              {countCodes(refusals)
                .slice(0, MOST)
                .map(([code, count]) => (
                  <li key={code} className="border-b border-line last:border-0">
                    <Link
                      to="/refusals"
                      search={{ code }}
                      className="flex items-center gap-3 px-4 py-2 hover:bg-sunken/60"
                    >
                      <span className="figures w-10 shrink-0 text-right font-semibold">
                        {count}
                      </span>
                      <span className="min-w-0">
                        <span className="block truncate">{explainError(code).cause}</span>
                        <span className="block truncate font-mono text-2xs text-soft">{code}</span>
                      </span>
                    </Link>
                  </li>
                ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
