import { UnpaidTransactionRequest } from './unpaid-transaction.js';

/** Body of `POST /v1/dry_run_tx`. */
export class DryRunTxRequest extends UnpaidTransactionRequest {}

/** A limit that would count the transaction. Amounts are decimal texts: gas in the smallest unit, or transactions. */
export interface PreviewedLimit {
  readonly counts: 'gas' | 'requests';
  /** The amount that is used now, without this transaction. */
  readonly used: string;
  /** The amount that this transaction would add: its maximum cost, corrected once it has executed. */
  readonly amount: string;
  readonly limit: string;
  /** The amount that would remain with this transaction counted; negative beyond the limit. */
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
      /** The reason of a refusal or an open decision; null otherwise. */
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
      /** The ledger's charge; negative if rebates exceed costs. */
      readonly net_cost: string;
      readonly suggested_budget: number;
    };
    /** The ledger's own JSON. */
    readonly balance_changes: readonly unknown[];
    readonly object_changes: readonly unknown[];
    readonly events: readonly unknown[];
  };
}
