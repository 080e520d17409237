import { checkInputs, checkUnique, programFaults } from './check-inputs.js';
import { type ChainFacts, checkTransaction } from './check-transaction.js';
import { decodeTransaction, type DecodedTransaction, type Program } from './decode-transaction.js';
import type { ExecutionRecord } from './engine-interface.js';
import { refuseInputs } from './engine-error.js';
import { executeProgram } from './execute-program.js';
import type { ExecutionOutcome } from './execution-types.js';
import { sizeForGas, storageCost } from './gas-schedule.js';
import { toHexId } from './hex.js';
import { hash } from './hash.js';
import { describeExecution } from './ledger.js';
import { COIN_LAYOUT } from './move/coin-layout.js';
import type { ObjectStore } from './object-store.js';
import { resolveInputs } from './resolve-inputs.js';
import { StoredObject } from './stored-object.js';
import { GAS_COIN } from './type-tag.js';

/** Contents of a coin. */
const COIN_BYTES = 40;
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
    else this.checkProgramInputs(transaction);
    return describeExecution(transaction, this.run(transaction), this.state.now());
  }

  private checkProgramInputs({ program, data }: DecodedTransaction): void {
    checkUnique(program, []);
    const faults = programFaults(this.state.store, program, data.sender);
    if (faults.length > 0) throw refuseInputs(faults);
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
      inputs: inputs.gas.length > 0 ? inputs : { ...inputs, gas: [ampleCoin(data.gasData.owner)] },
    });
  }
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
    storageCost(sizeForGas(GAS_COIN, COIN_BYTES)),
  );
}
