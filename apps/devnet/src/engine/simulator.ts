import { bcs } from '@iota/iota-sdk/bcs';
import { describeBalanceChanges } from './describe-effects.js';
import {
  checkInputs,
  checkUnpaidInputs,
  type ResolvedInputs,
  resolveInputs,
} from './check-inputs.js';
import { type ChainFacts, checkLimits } from './check-transaction.js';
import { decodeTransaction, type DecodedTransaction, type Program } from './transaction-data.js';
import type { SimulatedExecution } from './engine-interface.js';
import { executeProgram } from './execute-program.js';
import type { ExecutionOutcome, ObjectWrite } from './execution-types.js';
import { MAX_GAS_BUDGET } from './gas-schedule.js';
import { describeExecution } from './ledger-state.js';
import { COIN_LAYOUT } from './move-value.js';
import { NamedVersions } from './named-versions.js';
import type { ObjectStore } from './object-store.js';
import { StoredObject } from './stored-object.js';
import { GAS_COIN } from './type-tag.js';

const AMPLE = 1_000_000_000_000_000_000n;
/** The id that nodes give to the coin. */
const AMPLE_COIN = `0x${'f'.repeat(64)}`;

/** The state on which transactions are run. */
export interface SimulatedState extends ChainFacts {
  readonly store: ObjectStore;
  /** Milliseconds since 1970. */
  now(): number;
  /** Sets the shared clock if the program reads it. */
  setClock(program: Program, timestampMs: number): void;
}

/** Runs transactions without signatures and locks, and without storing anything. */
export class Simulator {
  /** `history`: the versions that the node keeps. */
  constructor(
    private readonly state: SimulatedState,
    private readonly history: ObjectStore,
  ) {}

  dryRun(bytes: Uint8Array): SimulatedExecution {
    return this.simulate(decodeTransaction(bytes));
  }

  /**
   * As nodes do over gRPC: the coin that replaces a payment becomes a part of the transaction, whose digest
   * changes.
   */
  dryRunWithCoin(bytes: Uint8Array): SimulatedExecution {
    return this.simulate(decodeTransaction(bytes), payWith);
  }

  inspect(program: Uint8Array, sender: string, price: bigint | null): SimulatedExecution {
    const bytes = withoutGas(program, sender, price ?? this.state.referenceGasPrice);
    return this.simulate(decodeTransaction(bytes));
  }

  private simulate(
    transaction: DecodedTransaction,
    replacePayment = (unpaid: DecodedTransaction, _coin: StoredObject) => unpaid,
  ): SimulatedExecution {
    const { program, data } = transaction;
    checkLimits(transaction, this.state);
    const objects = new NamedVersions(this.state.store, this.history, transaction);
    const { owner, payment } = data.gasData;
    if (payment.length > 0) checkInputs(objects, transaction);
    else checkUnpaidInputs(objects, transaction);
    this.state.setClock(program, this.state.now());
    const named = resolveInputs(objects, program, data.gasData);
    const isPaid = named.gas.length > 0;
    const coin = ampleCoin(owner);
    const inputs = isPaid ? named : { ...named, gas: [coin] };
    const executed = isPaid ? transaction : replacePayment(transaction, coin);
    const outcome = this.run(executed, inputs);
    const balanceChanges = describeBalanceChanges(paidChanges(outcome));
    return {
      ...describeExecution(executed, outcome, this.state.now()),
      balanceChanges,
      inputObjects: inOrder(inputs),
      outputObjects: outcome.changes.flatMap(({ after }) => after ?? []),
    };
  }

  private run({ digest, data, program }: DecodedTransaction, inputs: ResolvedInputs) {
    return executeProgram({
      digest,
      sender: data.sender,
      price: BigInt(data.gasData.price),
      budget: BigInt(data.gasData.budget),
      epoch: this.state.epoch,
      timestampMs: this.state.now(),
      program,
      // A simulation has no signatures.
      authenticators: 0n,
      inputs,
    });
  }
}

/** Without those of the coin that replaces a payment, if the program succeeds. */
function paidChanges({ changes, effects }: ExecutionOutcome): readonly ObjectWrite[] {
  if (effects.status.status === 'failure') return changes;
  return changes.filter(({ before }) => before?.objectId !== AMPLE_COIN);
}

function inOrder({ owned, shared, immutable, received, gas, packages }: ResolvedInputs) {
  const sharedObjects = shared.map(({ object }) => object);
  const all = [...owned, ...sharedObjects, ...immutable, ...received, ...gas, ...packages];
  return all.sort((a, b) => (a.objectId < b.objectId ? -1 : 1));
}

/**
 * The whole transaction around the bytes of its kind. Fields of the schema are in order: version 1, kind,
 * sender, gas, expiration.
 */
function withoutGas(kind: Uint8Array, sender: string, price: bigint): Uint8Array {
  const address = bcs.Address.serialize(sender).toBytes();
  const gas = [
    0,
    ...address,
    ...bcs.U64.serialize(price).toBytes(),
    ...bcs.U64.serialize(MAX_GAS_BUDGET).toBytes(),
  ];
  return Uint8Array.from([0, ...kind, ...address, ...gas, 0]);
}

function payWith({ data }: DecodedTransaction, { reference }: StoredObject): DecodedTransaction {
  const gasData = { ...data.gasData, payment: [reference] };
  return decodeTransaction(bcs.TransactionData.serialize({ V1: { ...data, gasData } }).toBytes());
}

/** Replaces a payment that has not been chosen yet. */
function ampleCoin(owner: string): StoredObject {
  return new StoredObject(
    AMPLE_COIN,
    1,
    { AddressOwner: owner },
    GAS_COIN,
    COIN_LAYOUT,
    { balance: AMPLE },
    '',
    // No deposit was paid for its storage.
    0n,
  );
}
