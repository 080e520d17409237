import { GasStation, GasStationError } from '@forecourt/client';
import type { Application } from '../support/application.js';

/** How a call of the client was refused, with the header `error-code` of the gateway's last answer. */
export interface ClientRefusal {
  readonly code: string;
  readonly header: string | null;
  readonly status: number | undefined;
  readonly isRefusal: boolean;
  /** Whether it says when to retry. */
  readonly asksToWait: boolean;
}

/** Throws unless the call is refused with a `GasStationError`. */
export async function refusalOfClient(
  { url, token }: Application,
  ask: (station: GasStation) => Promise<unknown>,
): Promise<ClientRefusal> {
  let header: string | null = null;
  const station = new GasStation({
    url,
    token,
    // The client repeats calls to unavailable services until this timeout.
    timeoutMs: 1_000,
    fetch: async (...request) => {
      const response = await fetch(...request);
      header = response.headers.get('error-code');
      return response;
    },
  });
  try {
    await ask(station);
  } catch (error) {
    if (!(error instanceof GasStationError)) throw error;
    const { code, status, isRefusal, retryAfterMs } = error;
    return { code, header, status, isRefusal, asksToWait: retryAfterMs !== undefined };
  }
  throw new Error('the call was not refused');
}
