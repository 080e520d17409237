import type { CheckpointData, ExecutedTransaction } from '@forecourt/ledger/node-messages';
import { fromBase58, fromHex, toBase58, toHex } from '@iota/iota-sdk/utils';
import type { GrpcScenario } from './grpc-scenario.js';
import { RECORDED_PACKAGE } from './translate-program.js';
import { Submissions } from './submissions.js';

/** Numbers from here exist on no ledger. */
const FAR = 999_999n;
/** The newest checkpoint when the recording asked for later ones. */
const RECORDED_LATEST = 6254n;
/** Checkpoints that are meant as any. */
const ANY_CHECKPOINT = 100n;
const NEIGHBOURS = [0n, 1n, -1n, 2n, -2n];

/** Finds the values of this ledger that stand for those of the recording, from answers to the same calls. */
export class RecordedValues {
  readonly submissions: Submissions;
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #checkpoints = new Map<bigint, bigint>([[0n, 0n]]);
  /** The newest checkpoint that the node shows. */
  latest = 0n;

  /**
   * `skipped`: the digests of recorded transactions that are not submitted. Any other one stands for them.
   */
  constructor(
    private readonly scenario: GrpcScenario,
    private readonly skipped: ReadonlySet<string>,
  ) {
    this.submissions = new Submissions(scenario);
  }

  /** Ids, addresses, digests and page tokens. */
  bytesFor(recorded: Uint8Array): Uint8Array {
    const hex = toHex(recorded);
    const object = this.submissions.objects.get(`0x${hex}`);
    if (object) return fromHex(object);
    const text = toBase58(recorded);
    const { submissions } = this;
    const digest = this.skipped.has(text) ? submissions.lastDigest : submissions.digestFor(text);
    if (digest) return fromBase58(digest);
    return this.#bytes.get(hex) ?? fromHex(this.scenario.addressOf(`0x${hex}`));
  }

  textFor(recorded: string): string {
    return recorded
      .replace(`${RECORDED_PACKAGE}::main::Box`, this.scenario.carType)
      .replace(`${RECORDED_PACKAGE}::main::Made`, `${this.scenario.demoPackage}::garage::CarBuilt`)
      .replace(RECORDED_PACKAGE, this.scenario.demoPackage);
  }

  checkpointFor(recorded: bigint): bigint {
    if (recorded >= FAR) return recorded;
    if (recorded > RECORDED_LATEST) return this.latest + recorded - RECORDED_LATEST;
    for (const distance of NEIGHBOURS) {
      const known = this.#checkpoints.get(recorded + distance);
      if (known !== undefined) return known - distance;
    }
    const [, first] = [...this.#checkpoints.values()];
    return (first ?? 0n) + recorded - ANY_CHECKPOINT;
  }

  setCheckpoint(recorded: bigint, ours: bigint): void {
    this.#checkpoints.set(recorded, ours);
  }

  setBytes(recorded: Uint8Array | undefined, ours: Uint8Array | undefined): void {
    if (recorded && ours) this.#bytes.set(toHex(recorded), ours);
  }

  learnTransaction(recorded: ExecutedTransaction, ours: ExecutedTransaction): void {
    if (recorded.checkpoint !== undefined && ours.checkpoint !== undefined) {
      this.setCheckpoint(recorded.checkpoint, ours.checkpoint);
    }
    const digests = [recorded, ours].map(({ transaction }) => transaction?.digest?.digest);
    this.setBytes(digests[0], digests[1]);
  }

  learnCheckpoint(recorded: CheckpointData, ours: CheckpointData): void {
    const [theirs, mine] = [recorded.payload, ours.payload];
    if (theirs.case === 'checkpoint' && mine.case === 'checkpoint') {
      this.setBytes(theirs.value.summary?.digest?.digest, mine.value.summary?.digest?.digest);
    }
    if (theirs.case === 'executedTransactions' && mine.case === 'executedTransactions') {
      // The transaction that ends an epoch is the last one of its checkpoint.
      const last = theirs.value.executedTransactions.at(-1)!;
      this.learnTransaction(last, mine.value.executedTransactions.at(-1)!);
    }
  }
}
