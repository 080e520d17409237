import type { Generated } from 'kysely';
import type { Sponsorship } from '@forecourt/contracts';

/** Columns of the tables in `sql`. Ids and amounts are decimal text, times milliseconds since 1970. */
export interface SponsorshipRow {
  id: string;
  created_at: Generated<number>;
  ended_at: number;
  status: string;
  outcome: string | null;
  token: string;
  token_user: string | null;
  sponsor: string;
  sender: string | null;
  digest: string | null;
  gas_budget: string;
  reserved_balance: string;
  gas_coins: Sponsorship['gas_coins'];
  gas_computation: string | null;
  gas_storage: string | null;
  gas_rebate: string | null;
  gas_net: string | null;
  gas_counted: string | null;
  commands: string[];
  rule: string | null;
  refusals: Sponsorship['refusals'];
  refused: number;
  failure: string | null;
  attempts: number;
  executor: string | null;
  request_ids: string[];
  trace_id: string | null;
  timeline: Sponsorship['timeline'];
  rebuilt: Sponsorship['rebuilt'];
}

export interface RefusalRow {
  id: string;
  created_at: Generated<number>;
  route: string;
  token: string;
  token_user: string | null;
  sponsor: string | null;
  sender: string | null;
  status: string;
  code: string;
  message: string;
  rule: string | null;
  digest: string | null;
  reservation: string | null;
  request: string | null;
}

interface FunctionRow {
  id: string;
  package: string;
  module: string;
  name: string;
  last_used: string;
}

/** A function or an error code of a record. */
interface Posting {
  id: string;
  token: string;
}

export interface Figures {
  transactions: string;
  failed: string;
  refused: string;
  gas: string;
}

export interface Tables {
  sponsorships: SponsorshipRow;
  refusals: RefusalRow;
  functions: FunctionRow;
  sponsorship_functions: Posting & { function: string };
  sponsorship_errors: Posting & { code: string };
  refusal_functions: Posting & { function: string };
  usage_hourly: Figures & { hour: number; token: string; sponsor: string };
  dropped_refusals: { hour: number; token: string; code: string; requests: string };
}
