/** Behaviours of clients. After a refusal a client builds a new transaction for the same action. */
export const behaviours = {
  /** One call, repeated until its answer is definite. */
  plain: 40,
  /** Disconnects during a call, and repeats it at another gateway. */
  impatient: 10,
  /** The same call at two gateways at once. */
  twice: 8,
  /** Disconnects and never repeats the call. */
  careless: 4,
  /** Never uses the reservation. */
  forgetful: 4,
  /** A transaction that fails on the ledger, and costs its gas. */
  failing: 6,
  /** A budget that takes several coins, which are smashed into one. */
  costly: 10,
  /** A price that the ledger refuses for certain; then a corrected transaction with the same coins. */
  underpriced: 6,
  /** Another party locks the coin on the ledger until the epoch ends. */
  locked: 3,
  /** Several transactions on one object, each with the reference from the previous effects. */
  'by reference': 6,
  /** Several transactions on one object, read from the node by its id. */
  'by id': 6,
} as const;
export type Behaviour = keyof typeof behaviours;

/** A definite answer to a client. */
export type Answer =
  | { readonly kind: 'executed'; readonly effects: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly status: number; readonly error: string };

/** One transaction that a client wants executed, and the outcome that the client received. */
export interface SponsoredCall {
  readonly client: number;
  /** The purpose of the transaction; every replacement of it has the same action. */
  readonly action: string;
  readonly behaviour: Behaviour;
  readonly reservationId: number;
  readonly digest: string;
  readonly txBytes: string;
  readonly userSig: string;
  /** `objectId@version` of each coin that pays. */
  readonly coins: readonly string[];
  /** Every definite answer, in order of arrival; empty if no client waited for one. */
  readonly answers: Answer[];
  /** From the first attempt to the first definite answer, in ms. */
  waitedMs: number | null;
  /** When that answer came, in ms since 1970. */
  answeredAt: number | null;
}
