import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { openStream } from './call-gateway.js';
import { GatewayError, NO_ANSWER } from './gateway-error.js';
import type { RefusalSummary, SponsorshipSummary, StreamFigures } from './gateway-types.js';
import { LIVE_MS, recentRefusalsQuery, recentSponsorshipsQuery } from './queries.js';
import { addRefusals, mergeSponsorships } from './recent-records.js';

/** Figures come every second: a connection that is silent for so long is lost. */
const SILENCE_MS = 5_000;

export interface LiveFleet {
  readonly figures: StreamFigures;
  /** Where the stream goes on after its connection was lost. */
  readonly lastId: string;
}

const LIVE = ['live'] as const;

/**
 * The figures of the fleet, as the gateway's stream shows them once a second. While this query has an observer, the recent
 * sponsorships and refusals follow too.
 */
export const liveFleetQuery = queryOptions<LiveFleet>({
  queryKey: LIVE,
  queryFn: ({ client, signal }) => follow(client, signal),
  retry: false,
  refetchInterval: ({ state }) => (state.status === 'error' ? LIVE_MS : false),
});

/** Never returns: the query fails when the connection is lost, and begins again. */
async function follow(client: QueryClient, signal: AbortSignal): Promise<never> {
  const lastId = client.getQueryData<LiveFleet>(LIVE)?.lastId;
  let sponsorships: SponsorshipSummary[] = [];
  let refusals: RefusalSummary[] = [];
  for await (const { id, event, data } of readEvents(lastId, signal)) {
    if (event === 'sponsorship') sponsorships.push(JSON.parse(data) as SponsorshipSummary);
    if (event === 'refusal') refusals.push(JSON.parse(data) as RefusalSummary);
    if (event === 'gap') void client.invalidateQueries({ predicate: isRecent });
    if (event !== 'figures' || id === undefined) continue;
    // All changes of a second are drawn together.
    const [changed, refused] = [sponsorships, refusals];
    client.setQueryData(recentSponsorshipsQuery.queryKey, (before) => {
      return before && mergeSponsorships(before, changed, Date.now());
    });
    client.setQueryData(recentRefusalsQuery.queryKey, (before) => {
      return before && addRefusals(before, refused, Date.now());
    });
    [sponsorships, refusals] = [[], []];
    client.setQueryData<LiveFleet>(LIVE, {
      figures: JSON.parse(data) as StreamFigures,
      lastId: id,
    });
  }
  throw lost();
}

function isRecent({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return queryKey[1] === 'recent';
}

/** The events of one connection. Throws GatewayError when it is refused or lost. */
async function* readEvents(lastId: string | undefined, signal: AbortSignal) {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const body = await openStream(lastId, AbortSignal.any([signal, silence.signal]));
    const events = body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for (const reader = events.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      yield value;
    }
  } catch (error) {
    if (signal.aborted || error instanceof GatewayError) throw error;
    throw lost(error);
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function lost(cause?: unknown): GatewayError {
  return new GatewayError(NO_ANSWER, 'The gateway’s stream has ended', 0, null, null, { cause });
}
