import { setTimeout as sleep } from 'node:timers/promises';
import type { Acceptance, AcceptedTransaction, ExecutedTransaction } from './engine-interface.js';
import { checkInputs, resolveInputs } from './check-inputs.js';
import { checkTransaction } from './check-transaction.js';
import { decodeTransaction, type DecodedTransaction } from './transaction-data.js';
import { refuse } from './engine-error.js';
import { executeProgram } from './execute-program.js';
import type { LedgerState } from './ledger-state.js';
import { LockTable } from './lock-table.js';
import { checkReadable, countAuthenticators, verifySignatures } from './verify-signatures.js';

interface InFlight extends AcceptedTransaction, DecodedTransaction {
  /** Number of callers for which it has been accepted. */
  holders: number;
  /** The epoch of its locks. */
  epoch: bigint;
}

/** Checks, locks and executes submitted transactions. */
export class Submissions {
  readonly locks: LockTable;
  readonly #inFlight = new Map<string, InFlight>();

  constructor(private readonly ledger: LedgerState) {
    this.locks = new LockTable(() => ledger.now());
  }

  /**
   * With `splitMs`, half of the validators receive the transaction immediately, the others after that time.
   */
  async accept(bytes: Uint8Array, signatures: readonly string[], splitMs = 0): Promise<Acceptance> {
    const transaction = decodeTransaction(bytes);
    checkReadable(signatures);
    const { sender, gasData } = transaction.data;
    const earlier = this.find(transaction.digest, signatures);
    if (earlier) return earlier;
    const signers = sender === gasData.owner ? [sender] : [sender, gasData.owner];
    await verifySignatures(bytes, signatures, signers, this.ledger.store);
    if (splitMs > 0) await this.reachHalf(transaction, signatures, splitMs);
    return this.admit(transaction, signatures);
  }

  private async reachHalf(
    transaction: DecodedTransaction,
    signatures: readonly string[],
    splitMs: number,
  ): Promise<void> {
    checkTransaction(transaction, signatures, this.ledger);
    checkInputs(this.ledger.store, transaction);
    const { digest } = transaction;
    const references = ownedReferences(transaction);
    this.locks.ask(references, digest, this.locks.freeHalf(references, digest));
    await sleep(splitMs);
  }

  /** The result of an earlier submission with the same signatures. */
  private find(digest: string, signatures: readonly string[]): Acceptance | null {
    const executed = this.ledger.transactions.find(digest);
    if (executed) {
      return sameSignatures(executed.signatures, signatures)
        ? { kind: 'executed', transaction: executed }
        : null;
    }
    const accepted = this.#inFlight.get(digest);
    if (accepted?.epoch !== this.ledger.epoch) return null;
    if (!sameSignatures(accepted.signatures, signatures)) return null;
    accepted.holders += 1;
    return { kind: 'accepted', accepted };
  }

  /** Synchronous from the checks to the locks, so that no other transaction can interleave. */
  private admit(transaction: DecodedTransaction, signatures: readonly string[]): Acceptance {
    const { digest } = transaction;
    const earlier = this.find(digest, signatures);
    if (earlier) return earlier;
    if (this.ledger.transactions.find(digest)) {
      throw refuse('The transaction is already finalized but with different user signatures');
    }
    checkTransaction(transaction, signatures, this.ledger);
    checkInputs(this.ledger.store, transaction);
    this.locks.take(ownedReferences(transaction), digest);
    const accepted: InFlight = this.#inFlight.get(digest) ?? {
      ...transaction,
      signatures,
      holders: 0,
      epoch: this.ledger.epoch,
    };
    accepted.epoch = this.ledger.epoch;
    accepted.holders += 1;
    this.#inFlight.set(digest, accepted);
    return { kind: 'accepted', accepted };
  }

  execute({ digest, bytes, signatures }: AcceptedTransaction): ExecutedTransaction {
    const executed = this.ledger.transactions.find(digest);
    if (executed) return executed;
    const held = this.#inFlight.get(digest);
    const transaction = held ?? decodeTransaction(bytes);
    this.#inFlight.delete(digest);
    const isLocked = held?.epoch === this.ledger.epoch && this.locks.lifetimeMs === null;
    if (!isLocked) this.readmit(transaction, signatures);
    const timestampMs = this.ledger.now();
    const { sender, gasData } = transaction.data;
    this.ledger.setClock(transaction.program, timestampMs);
    const outcome = executeProgram({
      digest,
      sender,
      price: BigInt(gasData.price),
      budget: BigInt(gasData.budget),
      epoch: this.ledger.epoch,
      timestampMs,
      program: transaction.program,
      authenticators: countAuthenticators(signatures),
      inputs: resolveInputs(this.ledger.store, transaction.program, gasData),
    });
    this.locks.release(ownedIds(transaction), digest);
    return this.ledger.commit(transaction, signatures, outcome, timestampMs);
  }

  /**
   * Takes the locks again: `abandon` or the end of the epoch may have released them, or they may have
   * expired.
   */
  private readmit(transaction: DecodedTransaction, signatures: readonly string[]): void {
    checkTransaction(transaction, signatures, this.ledger);
    checkInputs(this.ledger.store, transaction);
    this.locks.take(ownedReferences(transaction), transaction.digest);
  }

  abandon({ digest }: AcceptedTransaction): void {
    const held = this.#inFlight.get(digest);
    if (!held || --held.holders > 0) return;
    this.#inFlight.delete(digest);
    this.locks.release(ownedIds(held), digest);
  }

  releaseAll(): void {
    this.locks.releaseAll();
  }
}

function ownedReferences({ program, data }: DecodedTransaction) {
  return [
    ...program.inputs.flatMap(({ Object: input }) => input?.ImmOrOwnedObject ?? []),
    ...data.gasData.payment,
  ].map(({ objectId, version, digest }) => ({ objectId, version: Number(version), digest }));
}

function ownedIds(transaction: DecodedTransaction): string[] {
  return ownedReferences(transaction).map(({ objectId }) => objectId);
}

function sameSignatures(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each));
}
