import { checkInputs, checkUnpaidInputs } from './check-inputs.js';
import { checkTransaction } from './check-transaction.js';
import { decodeTransaction, type DecodedTransaction } from './decode-transaction.js';
import type { ExecutionRecord } from './engine-interface.js';
import { executeProgram } from './execute-program.js';
import type { ExecutionOutcome } from './execution-types.js';
import { sizeForGas, storageCost } from './gas-schedule.js';
import { toHexId } from './hex.js';
import { hash } from './hash.js';
import { describeExecution, type Ledger } from './ledger.js';
import { COIN_LAYOUT } from './move/coin-layout.js';
import { resolveInputs } from './resolve-inputs.js';
import { StoredObject } from './stored-object.js';
import { GAS_COIN } from './type-tag.js';

/** Contents of a coin. */
const COIN_BYTES = 40;
const AMPLE = 1_000_000_000_000_000_000n;

/** Runs transactions without signatures and locks, and without storing anything. */
export class Simulator {
  constructor(private readonly ledger: Ledger) {}

  dryRun(bytes: Uint8Array): ExecutionRecord {
    const transaction = decodeTransaction(bytes);
    checkTransaction(transaction, this.ledger);
    const { payment } = transaction.data.gasData;
    if (payment.length > 0) checkInputs(this.ledger.store, transaction);
    else checkUnpaidInputs(this.ledger.store, transaction);
    return describeExecution(transaction, this.run(transaction), this.ledger.now());
  }

  private run({ digest, data, program }: DecodedTransaction): ExecutionOutcome {
    this.ledger.setClock(program, this.ledger.now());
    const inputs = resolveInputs(this.ledger.store, program, data.gasData);
    return executeProgram({
      digest,
      sender: data.sender,
      price: BigInt(data.gasData.price),
      budget: BigInt(data.gasData.budget),
      epoch: this.ledger.epoch,
      timestampMs: this.ledger.now(),
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
