import { bcs } from '@iota/iota-sdk/bcs';
import { checkInputs, checkUnique, programFaults } from './check-inputs.js';
import { checkProgram, checkTransaction } from './check-transaction.js';
import { decodeProgram, decodeTransaction, type DecodedTransaction } from './decode-transaction.js';
import type { DevInspectRequest, DevInspectResult, ExecutionRecord } from './engine-interface.js';
import { refuseInputs } from './engine-error.js';
import { executeProgram, type ExecutionOutcome } from './execute-program.js';
import { MAX_GAS_BUDGET, storageCost } from './gas-schedule.js';
import { fullId, toHexId } from './hex.js';
import { digestOf, hash } from './hash.js';
import { describeExecution, type Ledger } from './ledger.js';
import { COIN_LAYOUT } from './move/coin-layout.js';
import { resolveInputs } from './resolve-inputs.js';
import { StoredObject } from './stored-object.js';
import { GAS_COIN } from './type-tag.js';

const AMPLE = 1_000_000_000_000_000_000n;

/** Runs transactions without a trace: no signatures, no locks, nothing written. */
export class Simulator {
  constructor(private readonly ledger: Ledger) {}

  dryRun(bytes: Uint8Array): ExecutionRecord {
    const transaction = decodeTransaction(bytes);
    checkTransaction(transaction, this.ledger);
    const { payment } = transaction.data.gasData;
    if (payment.length > 0) checkInputs(this.ledger.store, transaction);
    else this.checkProgramInputs(transaction, transaction.data.sender);
    return this.describe(transaction, this.run(transaction, false));
  }

  devInspect(request: DevInspectRequest): DevInspectResult {
    const transaction = this.inspected(request);
    checkProgram(transaction.program);
    this.checkProgramInputs(transaction, null);
    const outcome = this.run(transaction, true);
    const { status } = outcome.effects;
    return {
      ...this.describe(transaction, outcome),
      error: status.status === 'failure' ? status.error : null,
      results: outcome.results.map((returnValues) => ({ returnValues })),
    };
  }

  private checkProgramInputs({ program }: DecodedTransaction, sender: string | null): void {
    checkUnique(program, []);
    const faults = programFaults(this.ledger.store, program, sender);
    if (faults.length > 0) throw refuseInputs(faults);
  }

  private inspected(request: DevInspectRequest): DecodedTransaction {
    const program = decodeProgram(request.kindBytes);
    const sender = fullId(request.sender);
    const bytes = bcs.TransactionData.serialize({
      V1: {
        kind: { ProgrammableTransaction: program },
        sender,
        gasData: {
          payment: [],
          owner: sender,
          price: request.gasPrice ?? this.ledger.referenceGasPrice,
          budget: request.gasBudget ?? MAX_GAS_BUDGET,
        },
        expiration: { None: true },
      },
    }).toBytes();
    const data = bcs.TransactionData.parse(bytes).V1;
    return { digest: digestOf('TransactionData', bytes), bytes, data, program };
  }

  private run({ digest, data, program }: DecodedTransaction, inspect: boolean): ExecutionOutcome {
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
      inspect,
    });
  }

  private describe(transaction: DecodedTransaction, outcome: ExecutionOutcome): ExecutionRecord {
    return describeExecution(transaction, outcome, this.ledger.now());
  }
}

/** Stands in for a payment that is still to be chosen. */
function ampleCoin(owner: string): StoredObject {
  return new StoredObject(
    toHexId(hash(Buffer.from(`simulated gas|${owner}`))),
    1,
    { AddressOwner: owner },
    GAS_COIN,
    COIN_LAYOUT,
    { balance: AMPLE },
    '',
    storageCost(130),
  );
}
