/** What a client does with a reservation. Whoever is refused makes a new transaction for the same action. */
export const behaviours = {
  /** One call, repeated until its answer is definite. */
  plain: 40,
  /** Hangs up in the middle of a call, and asks again at another gateway. */
  impatient: 10,
  /** The same call at two gateways at once. */
  twice: 8,
  /** Hangs up and never asks again. */
  careless: 4,
  /** Never uses what it reserved. */
  forgetful: 4,
  /** A transaction that fails on the ledger, and costs its gas. */
  failing: 6,
  /** A budget that takes several coins, which are smashed into one. */
  costly: 10,
  /** A price that the ledger refuses for certain; then a corrected transaction with the same coins. */
  underpriced: 6,
  /** Somebody else holds the coin on the ledger until the epoch ends. */
  locked: 3,
  /** Several transactions on one object, each with the reference from the effects of the one before. */
  'by reference': 6,
  /** Several transactions on one object, which is read from the node by its id. */
  'by id': 6,
} as const;
export type Behaviour = keyof typeof behaviours;

/** What a client was told for good. */
export type Answer =
  | { readonly kind: 'executed'; readonly effects: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly status: number; readonly error: string };

/** One transaction that a client wants executed, and the outcome that the client was told. */
export interface SponsoredCall {
  readonly client: number;
  /** What the client wants done: the same of every transaction that it makes for this. */
  readonly action: string;
  readonly behaviour: Behaviour;
  readonly reservationId: number;
  readonly digest: string;
  readonly txBytes: string;
  readonly userSig: string;
  /** `objectId@version` of each coin that pays. */
  readonly coins: readonly string[];
  /** Every definite answer, in the order in which they came; none when nobody waited for one. */
  readonly answers: Answer[];
  /** From the first try to the first definite answer, in ms. */
  waitedMs: number | null;
}
