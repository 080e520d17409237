import { UnpaidTransactionRequest } from './unpaid-transaction.js';

/** Body of `POST /v1/dry_run_tx`. */
export class DryRunTxRequest extends UnpaidTransactionRequest {}

/** A limit that the transaction would count in. Amounts are decimal texts: gas in the smallest unit, or transactions. */
export interface PreviewedLimit {
  readonly counts: 'gas' | 'requests';
  /** What is used now, without this transaction. */
  readonly used: string;
  /** What this transaction would add: the most that it can cost, corrected once it has executed. */
  readonly amount: string;
  readonly limit: string;
  /** What would be left with this transaction counted; negative beyond the limit. */
  readonly remaining: string;
  readonly window_secs: number;
}

/** Answer of `POST /v1/dry_run_tx`. Costs are decimal texts in the smallest unit. */
export interface DryRunTxResponse {
  readonly result: {
    readonly sponsored: {
      /** Null: a hook decides when the transaction is executed. */
      readonly allowed: boolean | null;
      /** Name of the access rule that decides; null: none does. */
      readonly rule: string | null;
      /** Why it would be refused, or is not decided; null otherwise. */
      readonly reason: string | null;
      readonly limits: readonly PreviewedLimit[];
    };
    readonly execution: {
      readonly status: 'success' | 'failure';
      readonly error: string | null;
    };
    readonly gas: {
      readonly computation_cost: string;
      readonly storage_cost: string;
      readonly storage_rebate: string;
      /** What the ledger would charge; negative where rebates exceed costs. */
      readonly net_cost: string;
      readonly suggested_budget: number;
    };
    /** The ledger's own JSON. */
    readonly balance_changes: readonly unknown[];
    readonly object_changes: readonly unknown[];
    readonly events: readonly unknown[];
  };
}
