import { isDeepStrictEqual } from 'node:util';
import { reservedAt } from '@forecourt/sponsorship';
import { findDoubleActions } from './find-double-actions.js';
import type { OrderBook } from './ordering-client.js';
import type { Answer, SponsoredCall } from './sponsored-call.js';

/** The invariants that must hold after a round, however it was disturbed. */
export type Invariant =
  | 'audit is exact'
  | 'one outcome'
  | 'retry gets the outcome'
  | 'executed once'
  | 'no action twice'
  | 'coin used once'
  | 'gas adds up'
  | 'recorded once'
  | 'sent once'
  | 'ordered means sent'
  | 'replay agrees'
  | 'pool is full again'
  | 'nothing breaks by itself';

export interface Violation {
  readonly invariant: Invariant;
  /** A sentence with the digest or coin. */
  readonly detail: string;
}

/** The shortest time for which clients of `sponsoring-client.ts` reserve what they use, in ms. */
export const SHORTEST_RESERVATION_MS = 15_000;

type Report = (invariant: Invariant, detail: string) => void;

/** The ledger's record of an executed transaction. */
export interface Landed {
  readonly digest: string;
  /** How many entries the ledger's history has for it. */
  readonly times: number;
  readonly effects: Readonly<Record<string, unknown>>;
}

/** The data by which a round is judged. */
export interface Observation {
  readonly audit: { readonly exact: boolean; readonly text: string };
  readonly calls: readonly SponsoredCall[];
  /** Answers to each call that was repeated after the round. */
  readonly retries: ReadonlyMap<SponsoredCall, Answer | null>;
  readonly landed: ReadonlyMap<string, Landed>;
  /** Amounts that an operator has ordered of a sponsor's funds, and those that have arrived. */
  readonly orders: OrderBook;
  /** Differences between history and the ledger. */
  readonly history: readonly string[];
  /** How often each digest reached the node. */
  readonly submissions: Readonly<Record<string, number>>;
  /**
   * Net gas of every transaction that the sponsor paid for, according to the ledger and to the pool's totals.
   */
  readonly gas: { readonly ledger: bigint; readonly pool: bigint };
  /** Null: the pool was not full again within the bound. */
  readonly recoveryMs: number | null;
  /** Coins still held at that time: `executing: 3`. */
  readonly held: string;
  /** Times, in ms since 1970, in which Redis may have lost writes. */
  readonly losses: readonly { readonly from: number; readonly to: number }[];
  /** Internal errors that clients saw, and services that ended without a kill. */
  readonly surprises: readonly string[];
}

/** Every violated invariant, call by call. Empty: nothing was lost, executed twice or miscounted. */
export function findViolations(seen: Observation): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (invariant, detail) => void violations.push({ invariant, detail });
  if (!seen.audit.exact) report('audit is exact', seen.audit.text);
  if (seen.gas.ledger !== seen.gas.pool) {
    report(
      'gas adds up',
      `the ledger charged ${seen.gas.ledger}, the pool counts ${seen.gas.pool}`,
    );
  }
  for (const difference of seen.history) report('recorded once', difference);
  if (seen.recoveryMs === null) report('pool is full again', `still held: ${seen.held}`);
  for (const surprise of seen.surprises) report('nothing breaks by itself', surprise);
  for (const { digest, times } of seen.landed.values()) {
    if (times !== 1) report('executed once', `${digest} was executed ${times} times`);
  }
  const calls = withoutUnusedReservations(seen);
  for (const call of calls) {
    for (const text of compareAnswers(call, seen.landed.get(call.digest))) {
      report('one outcome', `${call.digest} (${call.behaviour}): ${text}`);
    }
  }
  for (const [call, retried] of seen.retries) {
    if (!sameJson(retried, call.answers[0])) {
      report('retry gets the outcome', `${call.digest}: ${describe(retried)}`);
    }
  }
  for (const text of findDoubleActions(calls, seen.landed)) report('no action twice', text);
  for (const text of findDoubleUses(seen, calls)) report('coin used once', text);
  checkOrders(seen.orders, report);
  return violations;
}

/** An amount arrives as often as it was ordered; an order without a known end may have been sent. */
function checkOrders({ orders, arrived }: OrderBook, report: Report): void {
  const alike = Map.groupBy(orders, ({ to, amount }) => `${amount} to ${to}`);
  for (const [what, all] of alike) {
    const times = arrived(all[0]!);
    const ends = all.map(({ end }) => end ?? 'no known end').join(', ');
    const text = `${what} was ordered ${all.length} times (${ends}), and arrived ${times} times`;
    if (times > all.length) report('sent once', text);
    else if (times < all.filter(({ end }) => end !== null).length)
      report('ordered means sent', text);
  }
}

/**
 * Leaves out calls whose reservation expired before it was used, or was lost by Redis, where a later
 * reservation of the same coins led to the same transaction: their refusal is about the reservation.
 */
function withoutUnusedReservations({ calls, losses }: Observation): readonly SponsoredCall[] {
  const latest = new Map(calls.map((call) => [call.digest, call]));
  const isAboutReservation = (call: SponsoredCall) => {
    const mayBeUnknown = hasEnded(call) || mayBeLost(call, losses);
    return call.answers.every(
      (answer) => isRefused(answer, EXPIRED) || (mayBeUnknown && isRefused(answer, UNKNOWN)),
    );
  };
  return calls.filter((call) => latest.get(call.digest) === call || !isAboutReservation(call));
}

const EXPIRED = /^Reservation \d+ has expired/;
const UNKNOWN = /^Reservation \d+ not found/;

function isRefused(answer: Answer, by: RegExp): boolean {
  return answer.kind === 'refused' && by.test(answer.error);
}

/** Before that, only a Redis that has lost writes does not know a reservation. */
function hasEnded({ reservationId, answeredAt }: SponsoredCall): boolean {
  return answeredAt !== null && answeredAt > reservedAt(reservationId) + SHORTEST_RESERVATION_MS;
}

/** Whether Redis may have lost writes while the call was under way. */
function mayBeLost(
  { answeredAt, waitedMs }: SponsoredCall,
  losses: Observation['losses'],
): boolean {
  const end = answeredAt ?? Infinity;
  const start = answeredAt === null ? -Infinity : answeredAt - (waitedMs ?? 0);
  return losses.some(({ from, to }) => start <= to && end >= from);
}

function compareAnswers(call: SponsoredCall, landed: Landed | undefined): string[] {
  return call.answers.flatMap((answer) => {
    if (answer.kind === 'executed') {
      if (!landed) return ['the client got effects, but the ledger has no such transaction'];
      const same = sameJson(withAbortCode(answer.effects), withAbortCode(landed.effects));
      return same ? [] : ['the client got other effects than the ledger’s'];
    }
    return landed ? [`the client got "${answer.error}", but the ledger executed it`] : [];
  });
}

/** An abort is worded differently over JSON-RPC and gRPC, and by older nodes: its code must be the same. */
function withAbortCode(effects: Landed['effects']): object {
  const { error = '' } = effects['status'] as { readonly error?: string };
  const code = /(?:abort code: |^MoveAbort\(.*\}, )(\d+)/.exec(error)?.[1];
  return code === undefined ? effects : { ...effects, status: { abort: code } };
}

/**
 * A coin version that was signed over twice, though the first transaction was not refused for certain. It is
 * not a violation if Redis has lost the reservation of a call that was under way: it has also lost that the
 * coin is in quarantine, and nothing but validators remembers that. The ledger executes one of the two.
 */
function findDoubleUses(
  { submissions, losses }: Observation,
  calls: readonly SponsoredCall[],
): string[] {
  const users = new Map<string, SponsoredCall[]>();
  for (const call of calls) {
    // Its price is refused before any validator holds a coin for it.
    if (call.behaviour === 'underpriced' || !submissions[call.digest]) continue;
    if (mayBeLost(call, losses) && call.answers.some((one) => isRefused(one, UNKNOWN))) continue;
    for (const coin of call.coins) users.set(coin, [...(users.get(coin) ?? []), call]);
  }
  return [...users]
    .filter(([, all]) => all.length > 1)
    .map(
      ([coin, all]) => `${coin} was submitted with ${all.map(({ digest }) => digest).join(', ')}`,
    );
}

/** Whether two values are the same JSON, regardless of the order of their names and of their parser. */
function sameJson(some: unknown, other: unknown): boolean {
  const again = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
  return isDeepStrictEqual(again(some), again(other));
}

function describe(answer: Answer | null): string {
  if (answer === null) return 'no definite answer';
  if (answer.kind === 'executed') return 'other effects';
  return `${answer.status} ${answer.error}`;
}
