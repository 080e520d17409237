import {
  describeRefusal,
  errorTable,
  MAX_REFUSALS,
  readEscaped,
  type RebuiltSponsorship,
  type ReservationState,
  type SettledResult,
  type Sponsorship,
  type SponsorshipGas,
  type SponsorshipStatus,
  type StoredSponsorship,
  tokenOfCaller,
  userOfCaller,
} from '@forecourt/contracts';
import type { LedgerCodec } from '@forecourt/ledger';
import { describeTransaction } from './describe-transaction.js';
import { reservedAt } from './reserved-at.js';
import { readCoins, readCommands, readResult, readTrail, type TrailLine } from './stored-fields.js';

/** Forms the sponsorship that stored facts describe. Throws `InvalidEntry` for facts that cannot be read. */
export function formSponsorship(
  decoder: LedgerCodec,
  sponsor: string,
  stored: StoredSponsorship,
): Sponsorship {
  const { id, state, ended } = stored;
  const trail = readTrail(stored.trail);
  const result = readResult(stored.result);
  const caller = readEscaped(stored.caller);
  const claims = trail.filter(({ event }) => event === 'claimed');
  const { sender, commands } = describeTransaction(decoder, stored.transaction);
  return {
    reservation_id: Number(id),
    status: statusOf(state),
    outcome: (state === 'executed' && result?.outcome) || null,
    token: tokenOfCaller(caller),
    user: userOfCaller(caller),
    sponsor_address: sponsor,
    sender,
    digest: textOrNull(stored.digest),
    gas_budget: stored.budget,
    reserved_balance: stored.sum,
    gas_coins: readCoins(stored.coins),
    gas: result && gasOf(result, stored.counted),
    commands,
    rule: textOrNull(stored.rule) ?? (claims.at(-1)?.fields[3] || null),
    refusals: refusalsOf(trail),
    failure: result?.failure ?? (state === 'quarantined' ? quarantineReason(trail) : null),
    attempts: trail.filter(({ event }) => event === 'submitted').length,
    executor: textOrNull(stored.executor),
    request_ids: [...new Set(claims.map(({ fields }) => fields[1] ?? ''))].filter(Boolean),
    trace_id: traceIdOf(claims.at(-1)?.fields[2]),
    timeline: timelineOf(stored, trail),
    created_at: reservedAt(Number(id)),
    ended_at: ended === '' ? null : Number(ended),
    rebuilt: null,
  };
}

/**
 * Forms the record of a transaction that was found on the ledger. Throws `InvalidEntry` for facts that cannot
 * be read.
 */
export function formRebuilt(
  decoder: LedgerCodec,
  sponsor: string,
  stored: RebuiltSponsorship,
): Sponsorship {
  const formed = formSponsorship(decoder, sponsor, stored);
  const isBound = stored.caller !== '';
  return {
    ...formed,
    timeline: isBound
      ? formed.timeline
      : formed.timeline.filter(({ event }) => event !== 'reserved'),
    sender: stored.sender,
    commands: readCommands(stored.commands),
    rebuilt: stored.cause,
  };
}

function statusOf(state: ReservationState): SponsorshipStatus {
  return state === 'claimed' ? 'executing' : state;
}

function textOrNull(stored: string): string | null {
  return stored === '' ? null : readEscaped(stored);
}

function gasOf({ computation, storage, rebate }: SettledResult, counted: string): SponsorshipGas {
  const net = BigInt(computation) + BigInt(storage) - BigInt(rebate);
  return { computation, storage, rebate, net: String(net), counted };
}

/** Only the ledger refuses what was claimed; other refusals are not in the trail. */
function refusalsOf(trail: readonly TrailLine[]): Sponsorship['refusals'] {
  const code = 'REFUSED_BY_LEDGER';
  return trail
    .filter(({ event }) => event === 'refused')
    .slice(0, MAX_REFUSALS)
    .map(({ time, fields: [digest = '', message = ''] }) => {
      const { status } = errorTable[code];
      return {
        at: time,
        status,
        code,
        message: describeRefusal({ message }),
        digest: digest || null,
      };
    });
}

/**
 * The ledger's message of the last quarantine; null where no node gave one. The caller reads it in the
 * refusal too.
 */
function quarantineReason(trail: readonly TrailLine[]): string | null {
  return trail.findLast(({ event }) => event === 'quarantined')?.fields[0] || null;
}

/** The trace id of a `traceparent`. */
function traceIdOf(traceparent = ''): string | null {
  return traceparent.split('-')[1] ?? null;
}

function timelineOf(
  { id, state, ended }: StoredSponsorship,
  trail: readonly TrailLine[],
): Sponsorship['timeline'] {
  const timeline: Sponsorship['timeline'][number][] = [
    { at: reservedAt(Number(id)), event: 'reserved' },
  ];
  for (const { time, event } of trail) {
    if (event !== 'refused' && event !== 'resumed') timeline.push({ at: time, event });
  }
  if (state === 'executed' || state === 'expired' || state === 'released') {
    timeline.push({ at: Number(ended), event: state });
  }
  return timeline;
}
