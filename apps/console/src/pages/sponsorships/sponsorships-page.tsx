import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { SponsorshipSummary } from '../../generated/gateway-types.js';
import {
  listKey,
  newestSponsorshipsQuery,
  sponsorshipCountQuery,
  type SponsorshipOrder,
  sponsorshipsQuery,
} from '../../api/queries.js';
import { followList, MOST_COUNTED } from '../../api/recent-records.js';
import { Coins, Moment, NONE } from '../../elements/facts.js';
import { Page } from '../../elements/page.js';
import { PagedRows } from '../../elements/paged-rows.js';
import { Empty } from '../../elements/states.js';
import type { Column } from '../../elements/virtual-rows.js';
import { countSponsorships } from '../../format/amounts.js';
import { shorten } from '../../format/identifiers.js';
import { formatDuration } from '../../format/times.js';
import { readSearch } from './read-search.js';
import { Calls, Rest, State } from './sponsorship-cells.js';
import { SponsorshipFiltersBar } from './sponsorship-filters-bar.js';
import { filtersOf, type SponsorshipSearch } from './sponsorship-search.js';

const TEMPLATE =
  'grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[7rem_7.5rem_minmax(10rem,2fr)_minmax(7rem,1fr)_minmax(5rem,1fr)_6rem] xl:grid-cols-[8rem_8rem_minmax(12rem,2fr)_minmax(8rem,1fr)_minmax(6rem,1fr)_minmax(8rem,1fr)_7rem_6rem]';

const time: Column<SponsorshipSummary> = {
  name: 'Time',
  className: 'max-md:hidden',
  render: ({ created_at: time }) => <Moment at={time} />,
};

const others: readonly Column<SponsorshipSummary>[] = [
  {
    name: 'State',
    render: (row) => <State of={row} />,
    className: 'max-md:order-3 max-md:text-right',
  },
  {
    name: 'Calls',
    render: (row) => (
      <>
        <span className="block truncate">
          <Calls of={row} />
        </span>
        <Rest of={row} />
      </>
    ),
  },
  {
    name: 'Sender',
    className: 'max-md:hidden',
    render: ({ sender }) => (sender === null ? NONE : <Short id={sender} />),
  },
  { name: 'Token', className: 'max-md:hidden', render: ({ token }) => token },
  {
    name: 'Digest',
    className: 'max-xl:hidden',
    render: ({ digest }) => (digest === null ? NONE : <Short id={digest} />),
  },
  {
    name: 'Gas',
    className: 'text-right max-md:hidden',
    render: ({ gas }) => (gas === null ? NONE : <Coins amount={gas.net} />),
  },
  {
    name: 'Took',
    className: 'figures text-right max-xl:hidden',
    render: ({ created_at: from, ended_at: to }) =>
      to === null ? NONE : formatDuration(to - from),
  },
];

function Short({ id }: { readonly id: string }) {
  return (
    <code className="font-mono text-xs" title={id}>
      {shorten(id)}
    </code>
  );
}

/** All sponsorships that the caller may see, the newest or the oldest first. */
export function SponsorshipsPage() {
  const search = useSearch({ from: '/signed-in/sponsorships' });
  const navigate = useNavigate({ from: '/sponsorships' });
  const change = (next: SponsorshipSearch) => void navigate({ search: next, replace: true });
  // A list must not change its beginning while it is scrolled.
  const filters = useMemo(() => filtersOf(search, Date.now()), [search]);
  const parsed = readSearch(search.q ?? '');
  if (parsed?.kind === 'reservation') {
    return <Navigate to="/sponsorships/$id" params={{ id: parsed.id }} replace />;
  }
  return (
    <Page title="Sponsorships" lead="Each reservation of gas, and what followed from it.">
      <div className="rounded-lg border border-line bg-surface">
        <SponsorshipFiltersBar search={search} onChange={change} />
        {filters === null ? (
          <Empty title="Nothing can be found by this text">
            Search for a digest, a reservation id, a sender’s address, package::module::function, or
            the name of a token.
          </Empty>
        ) : (
          <Rows
            filters={filters}
            isFiltered={Object.keys(search).some((name) => name !== 'order')}
            order={search.order === 'oldest' ? 'oldest' : 'newest'}
            onOrder={(order) => change({ ...search, order })}
          />
        )}
      </div>
    </Page>
  );
}

function Rows({
  filters,
  isFiltered,
  order,
  onOrder,
}: {
  readonly filters: NonNullable<ReturnType<typeof filtersOf>>;
  readonly isFiltered: boolean;
  readonly order: SponsorshipOrder;
  readonly onOrder: (order: SponsorshipOrder) => void;
}) {
  const empty = isFiltered ? (
    <Empty title="No sponsorship matches">Remove a filter, or choose a longer time.</Empty>
  ) : (
    <Empty title="Nothing has been sponsored yet">
      A sponsorship appears here with the first call of POST /v1/reserve_gas.
    </Empty>
  );
  const client = useQueryClient();
  const query = useInfiniteQuery(sponsorshipsQuery(filters, order));
  const { data: newest = NONE_NEWER } = useQuery({
    ...newestSponsorshipsQuery(filters),
    enabled: query.data !== undefined && order === 'newest',
  });
  const { data: counted } = useQuery({
    ...sponsorshipCountQuery(filters),
    enabled: query.data !== undefined,
  });
  const follow = useCallback(
    (rows: readonly SponsorshipSummary[]) => followList(rows, newest).rows,
    [newest],
  );
  const columns = [
    {
      ...time,
      sort:
        order === 'oldest'
          ? { order: 'ascending' as const, turn: () => onOrder('newest') }
          : { order: 'descending' as const, turn: () => onOrder('oldest') },
    },
    ...others,
  ];
  const { added } = followList(query.data?.pages[0]?.data ?? [], newest);
  return (
    <PagedRows
      query={query}
      label="Sponsorships"
      columns={columns}
      keyOf={(row) => String(row.reservation_id)}
      template={TEMPLATE}
      empty={empty}
      follow={follow}
      total={counted && countSponsorships(counted.count, counted.is_exact)}
      above={
        <div role="status" aria-label="New sponsorships">
          {added > 0 && (
            <button
              type="button"
              onClick={() => void client.resetQueries({ queryKey: listKey(filters) })}
              className="w-full border-b border-line bg-accent-tint px-4 py-1.5 font-medium text-accent hover:underline"
            >
              {added < MOST_COUNTED ? added : `${MOST_COUNTED} or more`} new
            </button>
          )}
        </div>
      }
    />
  );
}

const NONE_NEWER: readonly SponsorshipSummary[] = [];
