import { readBaseUrl, requestHeaders, readTimeLimit } from '../calls/connection-options.js';

export interface GasStationOptions {
  /** Address of the gas station, or of a proxy of yours in front of it; may be relative in a browser. */
  readonly url: string;
  /** Absent: the proxy adds it. Never ship a token to browsers, where everyone can read it. */
  readonly token?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Time limit of each call, repeats included, in ms; default 60 s. A call of `sponsor` consists of several.
   */
  readonly timeoutMs?: number | undefined;
}

/** The settings of every call. */
export interface GasStationConnection {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

/** Throws `TypeError` for an address, a token or a time limit that cannot be used. */
export function readConnection(options: GasStationOptions): GasStationConnection {
  return {
    url: readBaseUrl(options.url),
    headers: requestHeaders(options.token),
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: readTimeLimit('timeoutMs', options.timeoutMs),
  };
}
