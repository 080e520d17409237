import { fromBinary } from '@bufbuild/protobuf';
import { GetTransactionsRequestSchema } from '@forecourt/ledger/node-messages';
import type { RecordedGrpcCall } from '@forecourt/ledger/recorded-node';
import { fromBase58 } from '@iota/iota-sdk/utils';
import type { GrpcScenario } from './grpc-scenario.js';
import type { RecordedValues } from './recorded-values.js';
import { submittedBy, textsOf } from './translate-requests.js';
import { recordedDigest } from './recorded-digest.js';

const EXECUTE = 'ExecuteTransactions';
/** The time of each item in calls whose client leaves before the first one ends. */
const LATENCY_MS = 500;
/** Reads right after an execution show the ledger so long before it. */
const BEFORE_EXECUTION_MS = 2_000;
const LATENCY = { kind: 'latency', ms: LATENCY_MS, method: 'iota_executeTransactionBlock' };
/** The epoch of the second recorded network. */
const EPOCH = 9;
/** Lowest checkpoints of the recorded network that pruned: of its checkpoints, and of its objects. */
const LOWEST = [3347n, 3920n, 3922n, 3924n];
const PUBLICATIONS = new Set(['execute/publish', 'execute/upgrade']);

/** Asks for the checkpoint after the newest one. */
const NEXT_CHECKPOINT = 'checkpoint/next';

/** Reads that the recorded node answered before it knew the execution. */
const RIGHT_AFTER = /right-after-execution$/;

/** Calls in another order than the recorded one, by their place. */
const STAGES: readonly RegExp[] = [
  // Its answer names the first transaction, which others read.
  /^checkpoint\/genesis-digests$/,
  /./,
  // The calls after it read what it has just changed.
  /^execute-ok\/expiring-in-this-epoch$/,
  RIGHT_AFTER,
  /^epochs-net\//,
  /^pruned-net\//,
];
const CONCURRENT = /at-once-\d$/;

/** Calls of the same group are sent together, the groups one after the other. */
export function inOrder(calls: readonly RecordedGrpcCall[]): RecordedGrpcCall[][] {
  const sorted = calls.toSorted((a, b) => stageOf(a) - stageOf(b));
  const groups: RecordedGrpcCall[][] = [];
  for (const call of sorted) {
    const last = groups.at(-1);
    const isTogether = CONCURRENT.test(call.name) && last && CONCURRENT.test(last[0]!.name);
    if (isTogether) last.push(call);
    else groups.push([call]);
  }
  return groups;
}

function stageOf({ name }: RecordedGrpcCall): number {
  const special = STAGES.findIndex((names, stage) => stage !== 1 && names.test(name));
  return special === -1 ? 1 : special;
}

/** Brings the ledger into the state in which the recorded node got a call. */
export class RecordedStages {
  readonly #recorded: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly said: string }>;
  readonly #begun = new Set<string>();
  /** A transaction of the lowest checkpoint that is left. */
  #lowestDigest = '';
  #executedAfter = 0;

  constructor(
    private readonly scenario: GrpcScenario,
    private readonly values: RecordedValues,
    calls: readonly RecordedGrpcCall[],
  ) {
    this.#recorded = recordedTransactions(calls);
  }

  async prepare(call: RecordedGrpcCall): Promise<void> {
    const { name, method } = call;
    if (name.startsWith('epochs-net/')) await this.once('epochs', () => this.endEpochs());
    if (name.startsWith('pruned-net/')) await this.once('prune', () => this.prune());
    if (name === 'transactions/right-after-execution') {
      this.nameTransaction(call, this.values.submissions.lastDigest);
    }
    if (name === 'pruned-net/transaction-below-lowest-objects') {
      this.nameTransaction(call, this.#lowestDigest);
    }
    const isRightAfter = RIGHT_AFTER.test(name);
    const isUnsettled = method === EXECUTE || isRightAfter;
    if (!isUnsettled || name.includes('repeated-')) await this.scenario.settle();
    if (method === EXECUTE) this.#executedAfter = performance.now();
    if (isRightAfter) await this.hideExecution();
    this.values.latest = await this.readLatest();
    if (isInterrupted(call)) await this.scenario.control('POST', '/faults', LATENCY);
    if (method === EXECUTE) for (const text of textsOf(call)) await this.lockFor(text);
  }

  async finish(call: RecordedGrpcCall): Promise<void> {
    const isFaulty = isInterrupted(call) || RIGHT_AFTER.test(call.name);
    if (isFaulty) await this.scenario.control('DELETE', '/faults');
    if (PUBLICATIONS.has(call.name)) {
      await this.values.submissions.learnPackage(submittedBy(call)[0]!);
    }
  }

  /**
   * Whether a checkpoint may have appeared between the preparation of a call and its answer, which must not
   * have one.
   */
  async isOvertaken({ name }: RecordedGrpcCall): Promise<boolean> {
    return name === NEXT_CHECKPOINT && (await this.readLatest()) > this.values.latest;
  }

  private async readLatest(): Promise<bigint> {
    return BigInt(await this.scenario.client.getLatestCheckpointSequenceNumber());
  }

  /** The recorded node answered before it knew the execution, however long this machine takes to ask. */
  private async hideExecution(): Promise<void> {
    const ms = Math.ceil(performance.now() - this.#executedAfter) + BEFORE_EXECUTION_MS;
    await this.scenario.control('POST', '/faults', { kind: 'lag', ms });
  }

  private async once(stage: string, run: () => Promise<void>): Promise<void> {
    if (this.#begun.has(stage)) return;
    this.#begun.add(stage);
    await run();
  }

  private async endEpochs(): Promise<void> {
    for (let epoch = 0; epoch < EPOCH; epoch += 1) await this.scenario.control('POST', '/epoch');
  }

  /** Three checkpoints with transactions are left, and those that follow. */
  private async prune(): Promise<void> {
    const { client, user } = this.scenario;
    this.#lowestDigest = await this.scenario.spend(this.scenario.takeCoin(user), user);
    for (let index = 0; index < 2; index += 1) {
      await this.scenario.spend(this.scenario.takeCoin(user), user);
    }
    await this.scenario.settle();
    const { checkpoint } = await client.getTransactionBlock({ digest: this.#lowestDigest });
    for (const lowest of LOWEST) this.values.setCheckpoint(lowest, BigInt(checkpoint!));
    await this.scenario.control('POST', '/prune', { below: Number(checkpoint) });
  }

  /** Makes a transaction stand for the one that the call asks for. */
  private nameTransaction({ request }: RecordedGrpcCall, digest: string): void {
    const { requests } = fromBinary(GetTransactionsRequestSchema, Buffer.from(request, 'base64'));
    const recorded = requests?.requests[0]?.digest?.digest;
    this.values.setBytes(recorded, fromBase58(digest));
  }

  /** Gives the locks that the node told of to the transactions that had them. */
  private async lockFor(text: string): Promise<void> {
    for (const [, digest, objects] of text.matchAll(
      /TransactionDigest\(\s*(\w+),?\s*\): \[([^\]]*)\]/g,
    )) {
      const winner = this.#recorded.get(digest!);
      if (!winner) throw new Error(`no call submits ${digest}`);
      const { submissions } = this.values;
      await submissions.bytesFor(winner.bytes, winner.said);
      for (const [, id, version] of objects!.matchAll(/(0x\w{64}),\s*SequenceNumber\(\s*(\d+)/g)) {
        const objectId = submissions.referenceFor(id!, version!)!.objectId;
        const lock = { objectId, digest: submissions.digestFor(digest!) };
        await this.scenario.control('POST', '/locks', lock);
      }
    }
  }
}

/** Whether the client does not wait for the answer. */
function isInterrupted({ name, method, code }: RecordedGrpcCall): boolean {
  return method === EXECUTE && code !== 0 && /^(deadline|cancel)\//.test(name);
}

/** Every submitted transaction with the error that it got, by its digest. */
function recordedTransactions(calls: readonly RecordedGrpcCall[]) {
  const found = new Map<string, { readonly bytes: Uint8Array; readonly said: string }>();
  for (const call of calls.filter(({ method }) => method === EXECUTE)) {
    const said = textsOf(call);
    for (const [index, bytes] of submittedBy(call).entries()) {
      const digest = recordedDigest(bytes);
      if (digest) found.set(digest, { bytes, said: said[index] ?? '' });
    }
  }
  return found;
}
