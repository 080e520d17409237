import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { explainError, refusalCodes } from '../../api/explain-error.js';
import type { RefusalSummary } from '../../generated/gateway-types.js';
import { refusalsQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Badge } from '../../elements/badge.js';
import { Button } from '../../elements/button.js';
import { Moment } from '../../elements/facts.js';
import { Choice, optionsOf } from '../../elements/fields.js';
import { Page } from '../../elements/page.js';
import { PagedRows } from '../../elements/paged-rows.js';
import { Empty } from '../../elements/states.js';
import type { Column } from '../../elements/virtual-rows.js';
import { filtersOfPeriod, periodOptions } from '../sponsorships/list-periods.js';
import { TokenChoice } from '../sponsorships/token-choice.js';
import { RefusalsChart } from './refusals-chart.js';

const TEMPLATE =
  'grid-cols-[5.5rem_1fr] md:grid-cols-[7rem_minmax(9rem,1fr)_minmax(12rem,2fr)_minmax(12rem,2fr)_minmax(5rem,0.6fr)]';

const columns: readonly Column<RefusalSummary>[] = [
  { name: 'Time', render: ({ at }) => <Moment at={at} /> },
  {
    name: 'Code',
    className: 'max-md:hidden',
    render: ({ code, status }) => (
      <Badge tone={status >= 500 ? 'warn' : 'bad'}>
        <span title={code}>{code}</span>
      </Badge>
    ),
  },
  {
    name: 'Cause',
    render: (refusal) => (
      <>
        <Link
          to="/refusals/$at"
          params={{ at: String(refusal.at) }}
          search={{ request: refusal.request_id ?? undefined }}
          className="row-link block max-w-full truncate hover:underline"
        >
          {explainError(refusal.code, refusal.message).cause}
        </Link>
        <span className="block truncate text-2xs text-soft md:hidden">
          {refusal.token} · {refusal.code}
        </span>
      </>
    ),
  },
  {
    name: 'Message',
    className: 'text-soft max-md:hidden',
    render: ({ message }) => <span title={message}>{message}</span>,
  },
  { name: 'Token', className: 'max-md:hidden', render: ({ token }) => token },
];

/** Requests that were refused before a reservation was bound to a transaction. */
export function RefusalsPage() {
  const search = useSearch({ from: '/signed-in/refusals' });
  const navigate = useNavigate({ from: '/refusals' });
  const { code = '', token = '', period = '' } = search;
  const { may } = useCaller();
  const filters = useMemo(
    () => ({
      ...(code !== '' && { error: code }),
      ...(token !== '' && { token }),
      ...filtersOfPeriod(period, Date.now()),
    }),
    [code, token, period],
  );
  const apply = (over: Partial<typeof search>) => {
    const entries = Object.entries({ ...search, ...over }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(entries), replace: true });
  };
  return (
    <Page
      title="Refusals"
      lead="Requests that ended before a reservation was bound to a transaction."
    >
      <RefusalsChart period={period} token={token} code={code} />
      <div className="rounded-lg border border-line bg-surface">
        <div
          role="search"
          className="grid gap-2 border-b border-line p-3 sm:grid-cols-[2fr_1fr_1fr_auto]"
        >
          <Choice
            label="Error code"
            hideLabel
            options={optionsOf('Any code', refusalCodes, code)}
            value={code}
            onChoose={(chosen) => apply({ code: chosen })}
          />
          {may.reads && (
            <TokenChoice value={token} onChoose={(chosen) => apply({ token: chosen })} />
          )}
          <Choice
            label="Time"
            hideLabel
            options={periodOptions(period)}
            value={period}
            onChoose={(chosen) => apply({ period: chosen })}
          />
          {Object.keys(filters).length > 0 && (
            <Button look="quiet" onClick={() => apply({ code: '', token: '', period: '' })}>
              Clear
            </Button>
          )}
        </div>
        <Rows filters={filters} />
      </div>
    </Page>
  );
}

function Rows({ filters }: { readonly filters: Parameters<typeof refusalsQuery>[0] }) {
  const query = useInfiniteQuery(refusalsQuery(filters));
  const dropped = query.data?.pages[0]?.dropped ?? [];
  return (
    <>
      {dropped.length > 0 && (
        <p className="border-b border-line bg-warn-tint px-4 py-2 text-warn">
          More than 100 a second: of{' '}
          {dropped.map(({ code, token, requests }) => `${requests} ${code} of ${token}`).join(', ')}{' '}
          only the number is kept.
        </p>
      )}
      <PagedRows
        query={query}
        label="Refusals"
        columns={columns}
        keyOf={({ at }, index) => `${at} ${index}`}
        template={TEMPLATE}
        empty={
          <Empty title="No refusal matches">Refused requests appear here with their reason.</Empty>
        }
      />
    </>
  );
}
