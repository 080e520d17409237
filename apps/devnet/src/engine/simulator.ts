import { bcs } from '@iota/iota-sdk/bcs';
import { describeBalanceChanges } from './describe-effects.js';
import { checkInputs, checkUnpaidInputs, resolveInputs } from './check-inputs.js';
import { type ChainFacts, checkTransaction } from './check-transaction.js';
import { decodeTransaction, type DecodedTransaction, type Program } from './transaction-data.js';
import type { ExecutionRecord } from './engine-interface.js';
import { executeProgram } from './execute-program.js';
import type { ExecutionOutcome } from './execution-types.js';
import { MAX_GAS_BUDGET } from './gas-schedule.js';
import { toHexId, hash } from './hash.js';
import { describeExecution } from './ledger-state.js';
import { COIN_LAYOUT } from './move-value.js';
import type { ObjectStore } from './object-store.js';
import { StoredObject } from './stored-object.js';
import { GAS_COIN } from './type-tag.js';

const AMPLE = 1_000_000_000_000_000_000n;

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
  constructor(private readonly state: SimulatedState) {}

  dryRun(bytes: Uint8Array): ExecutionRecord {
    const transaction = decodeTransaction(bytes);
    checkTransaction(transaction, this.state);
    const { payment } = transaction.data.gasData;
    if (payment.length > 0) checkInputs(this.state.store, transaction);
    else checkUnpaidInputs(this.state.store, transaction);
    return this.simulate(transaction);
  }

  inspect(program: Uint8Array, sender: string, price: bigint | null): ExecutionRecord {
    const bytes = withoutGas(program, sender, price ?? this.state.referenceGasPrice);
    const transaction = decodeTransaction(bytes);
    checkTransaction(transaction, this.state);
    checkUnpaidInputs(this.state.store, transaction);
    return this.simulate(transaction);
  }

  /** Changes of the coin that replaces a payment are not balance changes. */
  private simulate(transaction: DecodedTransaction): ExecutionRecord {
    const outcome = this.run(transaction);
    const record = describeExecution(transaction, outcome, this.state.now());
    const { owner, payment } = transaction.data.gasData;
    if (payment.length > 0 || outcome.effects.status.status === 'failure') return record;
    const { objectId } = ampleCoin(owner);
    const changes = outcome.changes.filter(({ before }) => before?.objectId !== objectId);
    return { ...record, balanceChanges: describeBalanceChanges(changes) };
  }

  private run({ digest, data, program }: DecodedTransaction): ExecutionOutcome {
    this.state.setClock(program, this.state.now());
    const inputs = resolveInputs(this.state.store, program, data.gasData);
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
      inputs: inputs.gas.length > 0 ? inputs : { ...inputs, gas: [ampleCoin(data.gasData.owner)] },
    });
  }
}

/** The whole transaction around the bytes of its kind. Fields of the schema are in order: version 1, kind, sender, gas, expiration. */
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

/** Replaces a payment that has not been chosen yet. */
function ampleCoin(owner: string): StoredObject {
  return new StoredObject(
    toHexId(hash(Buffer.from(`simulated gas|${owner}`))),
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
