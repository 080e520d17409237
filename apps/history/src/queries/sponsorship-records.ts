import type { ListedSponsorship, Sponsorship, SponsorshipStatus } from '@forecourt/contracts';
import type { SponsorshipRow } from '../database/tables.js';

type Row = Omit<SponsorshipRow, 'created_at' | 'refused'> & { readonly created_at: number };
export type ListedRow = Omit<Row, 'timeline' | 'gas_coins'>;
export type FullRow = Row;

const DETAILS = ['timeline', 'gas_coins'] as const;

/** The columns of a sponsorship in a list. */
export const LISTED_COLUMNS = [
  'id',
  'created_at',
  'ended_at',
  'status',
  'outcome',
  'token',
  'token_user',
  'sponsor',
  'sender',
  'digest',
  'gas_budget',
  'reserved_balance',
  'gas_computation',
  'gas_storage',
  'gas_rebate',
  'gas_net',
  'gas_counted',
  'commands',
  'rule',
  'refusals',
  'failure',
  'attempts',
  'executor',
  'request_ids',
  'trace_id',
  'rebuilt',
] as const satisfies readonly (keyof ListedRow)[];

export const ALL_COLUMNS = [...LISTED_COLUMNS, ...DETAILS] as const;

export function listedSponsorship(row: ListedRow): ListedSponsorship {
  const { gas_computation: computation, gas_storage: storage, gas_rebate: rebate } = row;
  return {
    reservation_id: Number(row.id),
    status: row.status as SponsorshipStatus,
    outcome: row.outcome as Sponsorship['outcome'],
    token: row.token,
    user: row.token_user,
    sponsor_address: row.sponsor,
    sender: row.sender,
    digest: row.digest,
    gas_budget: row.gas_budget,
    reserved_balance: row.reserved_balance,
    gas:
      computation === null || storage === null || rebate === null
        ? null
        : { computation, storage, rebate, net: row.gas_net ?? '', counted: row.gas_counted ?? '' },
    commands: row.commands,
    rule: row.rule,
    refusals: row.refusals,
    failure: row.failure,
    attempts: row.attempts,
    executor: row.executor,
    request_ids: row.request_ids,
    trace_id: row.trace_id,
    created_at: row.created_at,
    ended_at: row.ended_at,
    rebuilt: row.rebuilt,
  };
}

export function fullSponsorship(row: FullRow): Sponsorship {
  const { timeline, gas_coins } = row;
  return { ...listedSponsorship(row), timeline, gas_coins };
}
