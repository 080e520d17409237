import { callGasStation, type CallOptions } from './call-gas-station.js';
import { readFields, readResult } from './read-fields.js';
import type { GasStationConnection } from './gas-station-connection.js';
import type { LedgerJson } from './ledger-json.js';
import { toBase64, type TransactionBytes } from './transaction-bytes.js';

export interface DryRunRequest {
  readonly sender: string;
  /** BCS bytes of a `TransactionKind` or of a whole transaction. */
  readonly transaction: TransactionBytes;
  readonly gasBudget?: number;
}

/** What would happen to a transaction now. Amounts are in the ledger's smallest unit. */
export interface DryRun {
  /** Whether the access rules allow it, the rule that decides, and the reason of a denial. */
  readonly sponsored: {
    readonly allowed: boolean;
    readonly rule: string | null;
    readonly reason: string | null;
  };
  readonly execution: { readonly status: 'success' | 'failure'; readonly error: string | null };
  readonly gas: {
    readonly computationCost: bigint;
    readonly storageCost: bigint;
    readonly storageRebate: bigint;
    /** What it would cost the sponsor; negative when more storage is refunded than paid for. */
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

/** `POST /v1/dry_run_tx`: neither reserves nor executes anything. Throws `GasStationError`. */
export function dryRunTx(
  connection: GasStationConnection,
  { sender, transaction, gasBudget }: DryRunRequest,
  options?: CallOptions,
): Promise<DryRun> {
  const txBytes = toBase64(transaction, 'transaction');
  return callGasStation(
    connection,
    {
      path: '/v1/dry_run_tx',
      body: { sender, tx_bytes: txBytes, gas_budget: gasBudget },
      read: readDryRun,
    },
    options,
  );
}

function readDryRun(text: string): DryRun {
  const dryRun = readResult<DryRun>(text, { sponsored: 'object', execution: 'object' });
  const gas = readFields<GasOnWire>(dryRun.gas, {});
  return {
    ...dryRun,
    gas: {
      computationCost: BigInt(gas.computationCost),
      storageCost: BigInt(gas.storageCost),
      storageRebate: BigInt(gas.storageRebate),
      netCost: BigInt(gas.netCost),
      suggestedBudget: Number(gas.suggestedBudget),
    },
  };
}
