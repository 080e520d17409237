import { DAY_MS } from '@forecourt/history/database';
import type { Sponsorship } from '@forecourt/contracts';
import { firstReservationAt } from '@forecourt/sponsorship';
import { address } from '../samples.js';

/** How the records are distributed: common values, and rare ones that only the oldest records have. */
export interface SampleSettings {
  readonly records: number;
  readonly days: number;
  readonly now: number;
}

const TOKENS = 20;
const SENDERS = 50_000;
const SPONSORS = 4;
const FUNCTIONS = 500;
/** Records with rare values, at the beginning. */
const RARE = 5;

export const RARE_VALUES = {
  token: 'rare-token',
  user: address(900_001),
  sender: address(900_002),
  sponsor: address(900_003),
  package: address(900_004),
  module: 'rare_module',
  function: 'rare_function',
  error: 'RARE_ERROR',
} as const;

export const COMMON_VALUES = {
  token: 'token-0',
  user: address(70_000),
  sender: address(7),
  sponsor: address(800_000),
  package: address(500_001),
  module: 'module_1',
  function: 'function_1',
  error: 'REFUSED_BY_LEDGER',
} as const;

/** Integers that look random and are the same in every run (an integer hash of two rounds). */
function scatter(index: number, below: number): number {
  let value = Math.imul(index + 1, 0x9e3779b1);
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
  return ((value ^ (value >>> 15)) >>> 0) % below;
}

export function digestOf(index: number): string {
  return `digest-${index.toString(36).padStart(37, '0')}`;
}

/** The `index`-th record, the oldest first. */
export function sampleSponsorship(
  index: number,
  { records, days, now }: SampleSettings,
): Sponsorship {
  const beginning = now - days * DAY_MS;
  const time = Math.floor(beginning + (index * days * DAY_MS) / records);
  const isRare = index < RARE;
  const kind = scatter(index, 1_000);
  const [status, outcome] = statusOf(kind);
  const call = Math.min(scatter(index, FUNCTIONS), scatter(index + 7, FUNCTIONS));
  const called = isRare
    ? `${RARE_VALUES.package}::${RARE_VALUES.module}::${RARE_VALUES.function}`
    : `${address(500_000 + (call % 100))}::module_${call % 10}::function_${call}`;
  const refusal = {
    at: time,
    status: 400,
    code: isRare ? RARE_VALUES.error : COMMON_VALUES.error,
    message: 'The object is locked',
    digest: digestOf(index),
  };
  return {
    reservation_id: firstReservationAt(time) + (index % 8_192),
    status,
    outcome,
    // Half of the records have one token, a quarter the next, …
    token: isRare
      ? RARE_VALUES.token
      : `token-${Math.min(TOKENS, Math.clz32(scatter(index, 2 ** 31)) - 1)}`,
    user: isRare
      ? RARE_VALUES.user
      : scatter(index, 10) === 0
        ? address(70_000 + scatter(index, 100))
        : null,
    sponsor_address: isRare ? RARE_VALUES.sponsor : address(800_000 + scatter(index, SPONSORS)),
    sender: isRare ? RARE_VALUES.sender : address(scatter(index, SENDERS)),
    digest: digestOf(index),
    gas_budget: '5000000',
    reserved_balance: '100000000',
    gas_coins: [{ objectId: address(index), version: 7, digest: digestOf(index) }],
    gas:
      outcome === null
        ? null
        : {
            computation: '1000000',
            storage: '2629600',
            rebate: '980400',
            net: '2649200',
            counted: '2649200',
          },
    commands: [`MoveCall ${called}`, 'TransferObjects'],
    rule: 'ours',
    refusals: isRare || kind >= 995 ? [refusal] : [],
    failure: outcome === 'failure' ? 'MoveAbort in command 0' : null,
    attempts: 1,
    executor: 'executor-1',
    request_ids: [`request-${index}`],
    trace_id: null,
    timeline: [
      { at: time, event: 'reserved' },
      { at: time + 20, event: 'claimed' },
      { at: time + 25, event: 'begun' },
      { at: time + 30, event: 'submitted' },
      { at: time + 80, event: status },
    ] as Sponsorship['timeline'],
    created_at: time,
    ended_at: time + 80,
    rebuilt: null,
  };
}

function statusOf(kind: number): [Sponsorship['status'], Sponsorship['outcome']] {
  if (kind < 20) return ['released', null];
  if (kind < 60) return ['expired', null];
  return ['executed', kind < 70 ? 'failure' : 'success'];
}
