/**
 * The attackers' knowledge of the system and their credentials. Plain data, because it is sent between
 * processes.
 */
export interface Target {
  readonly gatewayUrl: string;
  readonly ledgerUrl: string;
  /** The port that only gateways should use. */
  readonly coinPool: { readonly host: string; readonly port: number };
  /** The address of an events service, which only gateways should use. */
  readonly eventsUrl: string;
  /** Where services show their metrics inside the network. */
  readonly metricsUrls: readonly string[];
  readonly sponsors: readonly string[];
  /** A token of the list in GAS_STATION_AUTH, which has no entry in the file of tokens. */
  readonly configuredToken: string;
  /** Attacker's name → its own token with the role sponsor. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Addresses of honest users. */
  readonly victims: readonly string[];
  /** Factor by which attackers are slower than possible, because they share the machine with the system. */
  readonly slowness: number;
  /** Milliseconds since 1970; reservations must end before this. */
  readonly endsAt: number;
}

/** Longest reservation the service grants, in seconds. */
const LONGEST_SECS = 600;

/** The longest reservation that ends before the attack does. */
export function longestReservationSecs(target: Target, now = Date.now()): number {
  return Math.max(1, Math.min(LONGEST_SECS, Math.floor((target.endsAt - now) / 1_000)));
}
