import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { fromBase58 } from '@iota/iota-sdk/utils';
import type {
  Acceptance,
  AcceptedTransaction,
  CheckpointRecord,
  EngineInterface,
  EngineOptions,
  ExecutedTransaction,
  Listing,
  SystemState,
} from './engine-interface.js';
import { decodeTransaction } from './transaction-data.js';
import { Faucet } from './faucet.js';
import { findNormalizedFunction } from './normalize-module.js';
import { makeGenesis } from './genesis.js';
import { FullNode } from './full-node.js';
import { fullId } from './hash.js';
import { LedgerState } from './ledger-state.js';
import type { LedgerChanges } from './engine-records.js';
import { DEMO_PACKAGE } from './move/token-module.js';
import { Submissions } from './submissions.js';
import { Simulator } from './simulator.js';
import { showType } from './type-tag.js';

const DEFAULT_KEPT = 200_000;
const DEFAULT_FAUCET_BALANCE = 4_000_000_000_000_000_000n;
const DAY_MS = 86_400_000;

/** See `EngineInterface`. */
export class Engine implements EngineInterface {
  readonly chainIdentifier: string;
  readonly chainDigest: string;
  readonly seed: string;
  readonly faucetAddress: string;
  readonly demo: { readonly packageId: string; readonly counterId: string };
  readonly changes = new EventEmitter<LedgerChanges>();

  readonly #ledger: LedgerState;
  readonly #submissions: Submissions;
  readonly #simulator: Simulator;
  readonly #faucet: Faucet;
  readonly #epochDurationMs: number;

  constructor(options: EngineOptions = {}) {
    this.seed = options.seed ?? randomBytes(16).toString('hex');
    const now = options.now ?? Date.now;
    const genesis = makeGenesis({
      seed: this.seed,
      timestampMs: now(),
      faucetBalance: options.faucetBalance ?? DEFAULT_FAUCET_BALANCE,
      funds: options.genesisFunds ?? [],
    });
    this.#epochDurationMs = options.epochDurationMs ?? DAY_MS;
    this.#ledger = new LedgerState(
      {
        now,
        referenceGasPrice: options.referenceGasPrice ?? 1000n,
        sealsEach: options.checkpoints !== 'on-demand',
        kept: options.keptTransactions ?? DEFAULT_KEPT,
        epochStartMs: options.epochStartMs ?? genesis.transaction.timestampMs,
      },
      genesis,
      this.changes,
    );
    this.#submissions = new Submissions(this.#ledger);
    this.#simulator = new Simulator(this.#ledger, this.#ledger.store);
    this.faucetAddress = genesis.faucet.toIotaAddress();
    this.#faucet = new Faucet(this.#ledger, this.#submissions, genesis.faucet);
    this.demo = { packageId: DEMO_PACKAGE, counterId: genesis.counterId };
    this.chainDigest = this.#ledger.checkpoints.find(0)!.digest;
    this.chainIdentifier = Buffer.from(fromBase58(this.chainDigest).subarray(0, 4)).toString('hex');
  }

  accept(bytes: Uint8Array, signatures: readonly string[], splitMs = 0): Promise<Acceptance> {
    return this.#submissions.accept(bytes, signatures, splitMs);
  }

  execute(accepted: AcceptedTransaction): ExecutedTransaction {
    return this.#submissions.execute(accepted);
  }

  abandon(accepted: AcceptedTransaction): void {
    this.#submissions.abandon(accepted);
  }

  async submit(bytes: Uint8Array, signatures: readonly string[]): Promise<ExecutedTransaction> {
    const acceptance = await this.accept(bytes, signatures);
    return acceptance.kind === 'executed'
      ? acceptance.transaction
      : this.execute(acceptance.accepted);
  }

  advanceClock(timestampMs: number): void {
    this.#ledger.advanceClock(timestampMs);
  }

  executeAgain(bytes: Uint8Array, signatures: readonly string[]): void {
    const { digest, data } = decodeTransaction(bytes);
    this.execute({ digest, bytes, data, signatures });
  }

  dryRun(bytes: Uint8Array) {
    return this.#simulator.dryRun(bytes);
  }

  /** A full node that follows this ledger. */
  openFullNode(): FullNode {
    return new FullNode(this.#ledger, this.changes, () => this.systemState());
  }

  mint(recipient: string, amounts: readonly bigint[]) {
    return this.#faucet.mint(fullId(recipient), amounts);
  }

  advanceEpoch(): bigint {
    this.#submissions.releaseAll();
    return this.#ledger.advanceEpoch();
  }

  setReferenceGasPrice(price: bigint): void {
    this.#ledger.referenceGasPrice = price;
    this.changes.emit('gasPrice', price);
  }

  lockObject(objectId: string, digest: string): void {
    const object = this.#ledger.store.latest(fullId(objectId));
    if (object) this.#submissions.locks.takeForeign(object.reference, digest);
  }

  setLockLifetime(lifetimeMs: number | null): void {
    this.#submissions.locks.lifetimeMs = lifetimeMs;
  }

  prune(belowCheckpoint: number): void {
    this.#ledger.prune(belowCheckpoint);
  }

  lockedBy(objectId: string): string | null {
    return this.#submissions.locks.holder(fullId(objectId));
  }

  sealCheckpoint(isEmptyToo = false): CheckpointRecord | null {
    return this.#ledger.sealCheckpoint(false, this.#ledger.now(), isEmptyToo);
  }

  findEpoch(epoch: bigint) {
    return this.#ledger.findEpoch(epoch);
  }

  systemState(): SystemState {
    return {
      epoch: this.#ledger.epoch,
      epochStartMs: this.#ledger.epochStartMs,
      epochDurationMs: this.#epochDurationMs,
      referenceGasPrice: this.#ledger.referenceGasPrice,
      totalSupply: this.getTotalSupply('0x2::iota::IOTA'),
    };
  }

  getObject(id: string) {
    return this.#ledger.store.lookup(fullId(id));
  }

  getPastObject(id: string, version: number) {
    return this.#ledger.store.lookupPast(fullId(id), version);
  }

  listPackageVersions(id: string) {
    return this.#ledger.store.packageVersions(fullId(id));
  }

  listOwnedObjects(owner: string, page: Parameters<EngineInterface['listOwnedObjects']>[1]) {
    return this.#ledger.store.owners.listObjects(fullId(owner), page);
  }

  listCoins(
    owner: string,
    coinType: string | null,
    page: Parameters<EngineInterface['listCoins']>[2],
  ) {
    const type = coinType === null ? null : showType(coinType);
    return this.#ledger.store.owners.listCoins(fullId(owner), type, page);
  }

  getBalance(owner: string, coinType: string) {
    return this.#ledger.store.owners.balance(fullId(owner), showType(coinType));
  }

  getTotalSupply(coinType: string): bigint {
    return this.#ledger.supplyOf(showType(coinType));
  }

  getTransaction(digest: string): ExecutedTransaction | null {
    return this.#ledger.transactions.find(digest);
  }

  get transactionCount(): number {
    return this.#ledger.transactions.count;
  }

  listTransactions(listing: Listing) {
    return this.#ledger.transactions.list(listing);
  }

  get latestCheckpoint(): CheckpointRecord {
    return this.#ledger.checkpoints.latest;
  }

  get oldestCheckpoint(): number {
    return this.#ledger.checkpoints.oldest;
  }

  get deletionsShownFrom(): number {
    return this.#ledger.deletionsShownFrom;
  }

  getCheckpoint(sequenceNumberOrDigest: number | string) {
    return this.#ledger.checkpoints.find(sequenceNumberOrDigest);
  }

  listCheckpoints(listing: Listing) {
    return this.#ledger.checkpoints.list(listing);
  }

  getModuleNames(packageId: string) {
    const latest = this.#ledger.store.latest(fullId(packageId));
    return latest?.type === 'package' ? latest.modules.map(({ name }) => name) : null;
  }

  readonly getNormalizedFunction = findNormalizedFunction;
}
