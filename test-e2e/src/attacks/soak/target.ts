/** What attackers know of the system, and what they have got hold of. Plain data: it travels between processes. */
export interface Target {
  readonly gatewayUrl: string;
  readonly ledgerUrl: string;
  /** The port that only gateways are meant to talk to. */
  readonly coinPool: { readonly host: string; readonly port: number };
  /** Where services show their metrics inside the network. */
  readonly metricsUrls: readonly string[];
  readonly sponsors: readonly string[];
  /** A token of the list in GAS_STATION_AUTH, which has no entry in the file of tokens. */
  readonly configuredToken: string;
  /** Attacker's name → a token of its own with the role sponsor. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Addresses of honest users. */
  readonly victims: readonly string[];
  /** How many times slower attackers are than they could be: the machine is shared with what they attack. */
  readonly slowness: number;
  /** Milliseconds since 1970: no reservation is to outlast this. */
  readonly endsAt: number;
}

/** Longest reservation the service grants, in seconds. */
const LONGEST_SECS = 600;

/** The longest reservation that is over at the end. */
export function longestReservationSecs(target: Target, now = Date.now()): number {
  return Math.max(1, Math.min(LONGEST_SECS, Math.floor((target.endsAt - now) / 1_000)));
}
