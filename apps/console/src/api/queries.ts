import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callGateway, type RequestOf } from './call-gateway.js';
import type { RefusalSummary, SponsorshipSummary } from '../generated/gateway-types.js';
import { pollEvery } from './poll-every.js';
import { MOST_COUNTED } from './recent-records.js';

type QueryOf<Name extends Parameters<typeof callGateway>[0]> = NonNullable<
  RequestOf<Name>['query']
>;

export type SponsorshipFilters = QueryOf<'countSponsorships'>;
export type SponsorshipOrder = NonNullable<QueryOf<'listSponsorships'>['order']>;
export type RefusalFilters = Omit<QueryOf<'listRefusals'>, 'limit' | 'cursor'>;
export type DeliveryFilters = Omit<QueryOf<'listWebhookDeliveries'>, 'limit' | 'cursor'>;
export type UsageFilters = Omit<QueryOf<'sumUsage'>, 'format'>;

/** Rows of a list's first page, and of each further one, which only a reader who scrolls far gets. */
const FIRST_PAGE = 200;
const FURTHER_PAGE = 1_000;
/** The cursor of a first page. */
const FIRST = undefined as string | undefined;

/** The part of a list's query that says which page it is. */
const pageAt = (cursor: string | undefined) =>
  cursor === undefined ? { limit: FIRST_PAGE } : { limit: FURTHER_PAGE, cursor };

interface PagedQuery {
  readonly state: { readonly data: { readonly pages: readonly unknown[] } | undefined };
}
const isShort = ({ state }: PagedQuery) => (state.data?.pages.length ?? 0) <= 1;
/**
 * A list is read again by itself while it has one page. Of a long one every page would be read again, and its
 * rows would move while it is scrolled; a page that is left therefore forgets its list.
 */
const LIST = { gcTime: 0, refetchOnWindowFocus: isShort, refetchOnReconnect: isShort } as const;

const RECENT_MS = 30 * 86_400_000;
const MOST_RECENT = 20;

/** The interval at which figures on the screen are refreshed, in ms. */
export const LIVE_MS = 2_000;
/** The same for the fleet, each look at which is a line in the gateway's log. */
const FLEET_MS = 5_000;

/** A slower answer counts as a failure: the connection may be lost without an error. */
const ANSWER_MS = 5_000;

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: async ({ signal }) =>
    (await callGateway('readOverview', { signal, timeoutMs: ANSWER_MS })).result,
  retry: 1,
  refetchInterval: pollEvery(LIVE_MS),
});

export const fleetQuery = queryOptions({
  queryKey: ['fleet'],
  queryFn: async ({ signal }) =>
    (await callGateway('inspectFleet', { query: { listed: 100 }, signal })).result,
  refetchInterval: pollEvery(FLEET_MS),
});

export const sponsorsQuery = queryOptions({
  queryKey: ['sponsors'],
  queryFn: async ({ signal }) => (await callGateway('listSponsors', { signal })).result.sponsors,
  refetchInterval: pollEvery(LIVE_MS),
});

export const pausesQuery = queryOptions({
  queryKey: ['pauses'],
  queryFn: async ({ signal }) => (await callGateway('listPauses', { signal })).result.paused,
  refetchInterval: pollEvery(LIVE_MS),
});

export const actionsQuery = queryOptions({
  queryKey: ['actions'],
  queryFn: async ({ signal }) => (await callGateway('listActions', { signal })).result.actions,
  refetchInterval: pollEvery(LIVE_MS),
});

export const accessQuery = queryOptions({
  queryKey: ['access'],
  queryFn: async ({ signal }) => (await callGateway('describeAccess', { signal })).result,
});

/** An empty text: of the sponsor that pays where none is chosen. */
export const limitsQuery = (sponsor: string) =>
  queryOptions({
    queryKey: ['limits', sponsor],
    queryFn: async ({ signal }) => {
      const query = sponsor === '' ? {} : { sponsor_address: sponsor };
      return (await callGateway('listLimits', { query, signal })).result;
    },
    refetchInterval: pollEvery(FLEET_MS),
  });

export const eventsIndexQuery = queryOptions({
  queryKey: ['events-index'],
  queryFn: async ({ signal }) => (await callGateway('readEventsIndex', { signal })).result,
  refetchInterval: pollEvery(FLEET_MS),
  retry: false,
});

export const usageQuery = (query: UsageFilters) =>
  queryOptions({
    queryKey: ['usage', query],
    queryFn: async ({ signal }) => (await callGateway('sumUsage', { query, signal })).result,
  });

/** As long a time before `from` as has passed since then, in all. `ms`: the length of the whole time. */
export const usageBeforeQuery = (from: number, ms: number) =>
  queryOptions({
    queryKey: ['usage-before', from, ms],
    queryFn: async ({ signal }) => {
      const query = { from: from - ms, to: Date.now() - ms };
      return (await callGateway('sumUsage', { query, signal })).result;
    },
  });

/** The same time before; whole minutes, hours or days. */
export const latencyBeforeQuery = (from: number, ms: number, by: 'minute' | 'hour' | 'day') =>
  queryOptions({
    queryKey: ['latency-before', from, ms],
    queryFn: async ({ signal }) => {
      const query = { from: from - ms, to: from - 1, by };
      return (await callGateway('readLatency', { query, signal })).result;
    },
  });

/** The last 60 minutes, 24 hours or 30 days. */
export const latencyQuery = (by: 'minute' | 'hour' | 'day') =>
  queryOptions({
    queryKey: ['latency', by],
    queryFn: async ({ signal }) =>
      (await callGateway('readLatency', { query: { by }, signal })).result,
  });

export const sponsorshipQuery = (reservationId: string) =>
  queryOptions({
    queryKey: ['sponsorship', reservationId],
    queryFn: async ({ signal }) => {
      const path = { reservation_id: reservationId };
      return (await callGateway('getSponsorship', { path, signal })).result;
    },
    refetchInterval: (query) =>
      query.state.data?.ended_at === null ? pollEvery(LIVE_MS)(query) : false,
  });

export const explanationQuery = (reservationId: string) =>
  queryOptions({
    queryKey: ['explanation', reservationId],
    queryFn: async ({ signal }) => {
      const query = { reservation_id: Number(reservationId) };
      return (await callGateway('explainTransaction', { query, signal })).result;
    },
    retry: false,
  });

/** The key of a list in either order, and of its count. */
export const listKey = (filters: SponsorshipFilters) => ['sponsorships', filters] as const;

export const sponsorshipsQuery = (filters: SponsorshipFilters, order: SponsorshipOrder) =>
  infiniteQueryOptions({
    ...LIST,
    queryKey: [...listKey(filters), order],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { ...filters, order, ...pageAt(cursor) };
      return (await callGateway('listSponsorships', { query, signal })).result;
    },
    initialPageParam: FIRST,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });

/** How many sponsorships a list has in all. */
export const sponsorshipCountQuery = (filters: SponsorshipFilters) =>
  queryOptions({
    queryKey: [...listKey(filters), 'count'],
    queryFn: async ({ signal }) =>
      (await callGateway('countSponsorships', { query: filters, signal })).result,
    gcTime: 0,
    retry: false,
  });

/**
 * The newest sponsorships of a list, however far it is scrolled: those that have come since, and the present
 * states.
 */
export const newestSponsorshipsQuery = (filters: SponsorshipFilters) =>
  queryOptions({
    queryKey: ['newest-sponsorships', filters],
    queryFn: async ({ signal }): Promise<readonly SponsorshipSummary[]> => {
      const query = { ...filters, limit: MOST_COUNTED };
      return (await callGateway('listSponsorships', { query, signal })).result.data;
    },
    gcTime: 0,
    refetchInterval: pollEvery(FLEET_MS),
    refetchOnWindowFocus: false,
  });

export const refusalsQuery = (filters: RefusalFilters) =>
  infiniteQueryOptions({
    ...LIST,
    queryKey: ['refusals', filters],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { ...filters, ...pageAt(cursor) };
      return (await callGateway('listRefusals', { query, signal })).result;
    },
    initialPageParam: FIRST,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });

/** One refusal by its time in ms; its request id tells those of one millisecond apart. */
export const refusalQuery = (time: number, requestId: string | undefined) =>
  queryOptions({
    queryKey: ['refusal', time, requestId],
    queryFn: async ({ signal }): Promise<RefusalSummary | null> => {
      const query = { from: time, to: time, limit: 1_000 };
      const { data } = (await callGateway('listRefusals', { query, signal })).result;
      return data.find(({ request_id: id }) => id === (requestId ?? null)) ?? data[0] ?? null;
    },
  });

/** The newest sponsorships of the last 30 days. */
export const recentSponsorshipsQuery = queryOptions({
  queryKey: ['sponsorships', 'recent'],
  queryFn: async ({ signal }): Promise<readonly SponsorshipSummary[]> => {
    const query = { from: Date.now() - RECENT_MS, limit: MOST_RECENT };
    return (await callGateway('listSponsorships', { query, signal })).result.data;
  },
  refetchInterval: pollEvery(LIVE_MS),
});

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await callGateway('listWebhooks', { signal })).result.webhooks,
  refetchInterval: pollEvery(FLEET_MS),
});

export const deliveriesQuery = (filters: DeliveryFilters) =>
  infiniteQueryOptions({
    ...LIST,
    queryKey: ['deliveries', filters],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { ...filters, limit: 50, ...(cursor !== undefined && { cursor }) };
      return (await callGateway('listWebhookDeliveries', { query, signal })).result;
    },
    initialPageParam: FIRST,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    refetchInterval: (query) => (isShort(query) ? pollEvery(FLEET_MS)(query) : false),
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: async ({ signal }) =>
      (await callGateway('getWebhookDelivery', { path: { id }, signal })).result,
    staleTime: Infinity,
  });
