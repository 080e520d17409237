import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { openStream } from './call-gateway.js';
import { GatewayError, NO_ANSWER } from './gateway-error.js';
import type { SponsorshipSummary, StreamFigures } from '../generated/gateway-types.js';
import { LIVE_MS, recentSponsorshipsQuery } from './queries.js';
import { mergeSponsorships } from './recent-records.js';

/** Figures come every second: a connection that is silent for so long is lost. */
const SILENCE_MS = 5_000;

export interface LiveFleet {
  readonly figures: StreamFigures;
  /** Where the stream goes on after its connection was lost. */
  readonly lastId: string;
}

const LIVE = ['live'] as const;
const RECENT = recentSponsorshipsQuery.queryKey;

/**
 * The figures of the fleet, as the gateway's stream shows them once a second. While this query has an observer, the recent
 * sponsorships follow too.
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
  for await (const { id, event, data } of readEvents(lastId, signal)) {
    if (event === 'sponsorship') sponsorships.push(JSON.parse(data) as SponsorshipSummary);
    if (event === 'gap') void client.invalidateQueries({ queryKey: RECENT });
    if (event !== 'figures' || id === undefined) continue;
    // All changes of a second are drawn together.
    const changed = sponsorships;
    client.setQueryData(RECENT, (before) => {
      return before && mergeSponsorships(before, changed, Date.now());
    });
    sponsorships = [];
    client.setQueryData<LiveFleet>(LIVE, {
      figures: JSON.parse(data) as StreamFigures,
      lastId: id,
    });
  }
  throw lost();
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
