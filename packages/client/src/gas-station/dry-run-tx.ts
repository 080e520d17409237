import { callGasStation, type CallOptions } from './call-gas-station.js';
import { readFields, readResult } from './read-fields.js';
import type { GasStationConnection } from './gas-station-connection.js';
import type { LedgerJson } from './ledger-json.js';
import { inBody, type UnpaidTransaction } from './transaction-bytes.js';

export type DryRunRequest = {
  readonly sender: string;
  readonly gasBudget?: number | undefined;
} & UnpaidTransaction;

/** A limit that would count the transaction. */
export interface LimitPreview {
  readonly counts: 'gas' | 'requests';
  /** Without this transaction. */
  readonly used: bigint;
  /** The maximum amount that this transaction would add. */
  readonly amount: bigint;
  readonly limit: bigint;
  /** With this transaction; negative beyond the limit. */
  readonly remaining: bigint;
  readonly windowSecs: number;
}

/** The result of executing the transaction now. Amounts are in the ledger's smallest unit. */
export interface DryRun {
  /**
   * Whether the access rules allow it (null: a hook decides at the execution), the rule that decides, the
   * reason of a denial, and the limits that would count it.
   */
  readonly sponsored: {
    readonly allowed: boolean | null;
    readonly rule: string | null;
    readonly reason: string | null;
    readonly limits: readonly LimitPreview[];
  };
  readonly execution: { readonly status: 'success' | 'failure'; readonly error: string | null };
  readonly gas: {
    readonly computationCost: bigint;
    readonly storageCost: bigint;
    readonly storageRebate: bigint;
    /** Its cost to the sponsor; negative if more storage is refunded than paid for. */
    readonly netCost: bigint;
    readonly suggestedBudget: number;
  };
  readonly balanceChanges: readonly LedgerJson[];
  readonly objectChanges: readonly LedgerJson[];
  readonly events: readonly LedgerJson[];
}

type Gas = DryRun['gas'];
/** Amounts are decimals on the wire: they need not fit into a number. */
type GasOnWire = { readonly [Field in keyof Gas]: string };
type DryRunOnWire = Omit<DryRun, 'sponsored'> & {
  readonly sponsored: Omit<DryRun['sponsored'], 'limits'> & {
    readonly limits: readonly LimitOnWire[];
  };
};
type LimitOnWire = Omit<LimitPreview, 'used' | 'amount' | 'limit' | 'remaining'> & {
  readonly [Field in 'used' | 'amount' | 'limit' | 'remaining']: string;
};

/** `POST /v1/dry_run_tx`: neither reserves nor executes anything. Throws `GasStationError`. */
export function dryRunTx(
  connection: GasStationConnection,
  request: DryRunRequest,
  options?: CallOptions,
): Promise<DryRun> {
  const { sender, gasBudget } = request;
  return callGasStation(
    connection,
    {
      path: '/v1/dry_run_tx',
      body: { sender, ...inBody(request), gas_budget: gasBudget },
      read: readDryRun,
    },
    options,
  );
}

function readDryRun(text: string): DryRun {
  const dryRun = readResult<DryRunOnWire>(text, { sponsored: 'object', execution: 'object' });
  const { sponsored } = dryRun;
  const gas = readFields<GasOnWire>(dryRun.gas, {});
  return {
    ...dryRun,
    sponsored: { ...sponsored, limits: sponsored.limits.map(readLimit) },
    gas: {
      computationCost: BigInt(gas.computationCost),
      storageCost: BigInt(gas.storageCost),
      storageRebate: BigInt(gas.storageRebate),
      netCost: BigInt(gas.netCost),
      suggestedBudget: Number(gas.suggestedBudget),
    },
  };
}

function readLimit(value: LimitOnWire): LimitPreview {
  const limit = readFields<LimitOnWire>(value, {});
  return {
    ...limit,
    used: BigInt(limit.used),
    amount: BigInt(limit.amount),
    limit: BigInt(limit.limit),
    remaining: BigInt(limit.remaining),
  };
}
