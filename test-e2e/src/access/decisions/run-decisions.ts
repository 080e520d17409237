import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { ForecourtError } from '@forecourt/contracts';
import {
  createIotaLedger,
  type DecodedTransaction,
  type DryRun,
  type Ledger,
} from '@forecourt/ledger';
import {
  type AccessDecision,
  type AccessSubject,
  AccessUndecided,
  decideAccess,
  readAccessRules,
} from '@forecourt/policy/access';
import { percentile } from '@forecourt/testing/figures';
import { devnetControl, freePort } from '@forecourt/testing/system';
import { type ObjectRef, serializeRaw } from '../../support/raw-transaction.js';
import { Seeded } from '../../support/seeded.js';
import { startOneMore } from '../../support/start-one-more.js';
import { findBreach, RECIPIENTS, RULES } from './decided-rules.js';
import { RandomProgram } from './random-program.js';

export interface DecisionOptions {
  readonly seed: number;
  readonly transactions: number;
  readonly say: (text: string) => void;
}

export interface DecisionReport {
  readonly transactions: number;
  readonly largestBytes: number;
  /** By the rule that allowed, and `denied`. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Allowed, signed and executed with success. */
  readonly executed: number;
  /** Processor time of a decision with its decoding, in ms. */
  readonly cpuMs: { readonly p50: number; readonly p99: number; readonly most: number };
  /** The heap after a collection, in MiB: at the first tenth, and the most from then on. */
  readonly heapMiB: { readonly early: number; readonly most: number };
  readonly violations: readonly string[];
}

const MOST_CPU_MS = 50;
const ATTEMPTS = 3;
/** Caches of signatures fill; what a transaction takes must not stay. */
const MOST_GROWTH_MIB = 32;
const MOST_VIOLATIONS = 20;
const GAS_BUDGET = 5_000_000_000;
const FUNDS = 100_000_000_000_000_000;
const SPLIT_FROM = 1_000_000_000_000_000;
/** How many transactions the run tries at the same time, each with its own coins. */
const LANES = 16;
const TENTHS = 10;
const LARGEST = 128 * 1024;
/** Until then, code is compiled and connections are opened. */
const WARM_UP = 50;

/**
 * Decides about random transactions by rules that read arguments, types and balances, and executes on devnet
 * what they allow.
 */
export async function runDecisions(options: DecisionOptions): Promise<DecisionReport> {
  const controlPort = String(await freePort());
  const node = await startOneMore('devnet', (port) => ({
    DEVNET_RPC_PORT: port,
    DEVNET_CONTROL_PORT: controlPort,
    DEVNET_FAUCET_PORT: 'off',
  }));
  const ledger = createIotaLedger({ urls: [node.url] });
  try {
    const control = devnetControl(`http://127.0.0.1:${controlPort}`);
    const run = new DecisionRun(options, ledger, new IotaClient({ url: node.url }));
    const gas = await control.mint(run.sender, FUNDS, LANES);
    const used = await control.mint(run.sender, SPLIT_FROM, LANES);
    return await run.run(gas.map((coin, lane) => [coin, used[lane]!]));
  } finally {
    await node.stop();
  }
}

/** The coin that pays for gas, and the one that transactions use. */
type Coins = [gas: ObjectRef, used: ObjectRef];

interface Candidate {
  readonly name: string;
  readonly lane: number;
  readonly bytes: Uint8Array;
}

type Decide = (subject: AccessSubject) => Promise<AccessDecision>;

/** Ends a decision that needs a dry run: it waits, and processor time is measured of the whole process. */
class Untried extends Error {}

class DecisionRun {
  readonly #user = new Ed25519Keypair();
  readonly sender = this.#user.toIotaAddress();
  readonly #outcomes: Record<string, number> = {};
  /** Of each lane. */
  readonly #coins: Coins[] = [];
  #cpuMs: number[] = [];
  readonly #heap: number[] = [];
  #violations: string[] = [];
  #alone: Promise<unknown> = Promise.resolve();
  #executed = 0;
  #largest = 0;

  constructor(
    private readonly options: DecisionOptions,
    private readonly ledger: Ledger,
    private readonly client: IotaClient,
  ) {}

  async run(coins: readonly Coins[]): Promise<DecisionReport> {
    const { seed, transactions, say } = this.options;
    const rules = await readAccessRules(RULES, '/rules.yaml');
    const decide = (subject: AccessSubject) =>
      decideAccess(rules, subject, {
        known: new Map(),
        caps: [],
        askHook: () => Promise.reject(new Error('no rule has a hook')),
      });
    const random = new Seeded(seed);
    this.#coins.push(...coins);
    let next = 0;
    const work = async (lane: number, end: number): Promise<void> => {
      while (next < end && this.#violations.length < MOST_VIOLATIONS) {
        const name = `${seed}/${next++}`;
        await this.tryOne(random.branch(), lane, name, decide);
      }
    };
    const workUntil = (end: number) => Promise.all(this.#coins.map((_, lane) => work(lane, end)));
    await workUntil(WARM_UP);
    this.forget();
    for (let tenth = 1; tenth <= TENTHS; tenth++) {
      await workUntil(WARM_UP + Math.ceil((transactions * tenth) / TENTHS));
      this.#heap.push(heapMiB());
      say(`${next - WARM_UP}: ${JSON.stringify(this.report())}`);
    }
    return this.report();
  }

  private build(random: Seeded, lane: number, name: string): Candidate {
    const [gas, coin] = this.#coins[lane]!;
    const bytes = serializeRaw({
      program: new RandomProgram(random, { recipients: RECIPIENTS, coin }).make(),
      user: this.#user,
      reservation: { sponsor_address: this.sender, gas_coins: [] },
      payment: [{ ...gas, version: Number(gas.version) }],
      gasBudget: GAS_BUDGET,
    });
    return { name, lane, bytes };
  }

  private async tryOne(random: Seeded, lane: number, name: string, decide: Decide): Promise<void> {
    const first = await this.alone(async () => {
      const candidate = this.build(random, lane, name);
      return { candidate, decided: await this.decideOne(candidate, decide) };
    });
    const { candidate } = first;
    let { decided } = first;
    if (decided === 'untried') {
      const tried = await this.ledger.dryRun(this.ledger.decodeTransaction(candidate.bytes));
      decided = await this.alone(() => this.decideOne(candidate, decide, tried));
    }
    if (decided && decided !== 'untried') await this.execute(candidate, decided.rule);
  }

  /** One after the other, since processor time is that of the process. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#alone.then(work);
    this.#alone = done.catch(() => undefined);
    return done;
  }

  /** The rule that allows it; null: none; `untried`: the decision needs a dry run. */
  private async decideOne(
    { name, bytes }: Candidate,
    decide: Decide,
    tried?: DryRun,
  ): Promise<{ readonly rule: string } | 'untried' | null> {
    if (bytes.length > LARGEST) return null;
    this.#largest = Math.max(this.#largest, bytes.length);
    let decision: AccessDecision | null = null;
    let cpuMs = Infinity;
    // The work is the same each time; what else the process does is not.
    for (let attempt = 0; attempt < ATTEMPTS && cpuMs > MOST_CPU_MS; attempt++) {
      const before = process.cpuUsage();
      try {
        decision = await decide(this.subjectOf(this.ledger.decodeTransaction(bytes), tried));
      } catch (error) {
        if (error instanceof Untried) return 'untried';
        const isRefused = error instanceof ForecourtError;
        this.count(isRefused ? 'refused' : 'undecided');
        const isUndecided = error instanceof AccessUndecided;
        if (!isRefused && !isUndecided) this.violate(`${name}: ${String(error)}`);
        return null;
      }
      const { user, system } = process.cpuUsage(before);
      cpuMs = Math.min(cpuMs, (user + system) / 1_000);
    }
    this.#cpuMs.push(cpuMs);
    if (cpuMs > MOST_CPU_MS) {
      this.violate(`${name}: the decision about ${bytes.length} bytes took ${cpuMs} ms`);
    }
    const rule = decision?.outcome === 'allow' ? decision.rule!.name : null;
    this.count(rule ?? 'denied');
    return rule === null ? null : { rule };
  }

  private async execute({ name, lane, bytes }: Candidate, rule: string): Promise<void> {
    const { signature } = await this.#user.signTransaction(bytes);
    const executed = await this.client
      .executeTransactionBlock({
        transactionBlock: bytes,
        signature,
        options: { showEffects: true, showObjectChanges: true, showBalanceChanges: true },
      })
      .catch((error: unknown) => String(error));
    if (typeof executed === 'string') {
      this.count('refused by the ledger');
      return;
    }
    const { status, mutated = [] } = executed.effects!;
    for (const { reference } of mutated) {
      const coins = this.#coins[lane]!;
      const position = coins.findIndex(({ objectId }) => objectId === reference.objectId);
      if (position !== -1) coins[position] = reference;
    }
    if (status.status !== 'success') return;
    this.#executed += 1;
    const breach = await findBreach(rule, executed, this.client, this.sender);
    if (breach !== null) this.violate(`${name}: ${rule} allowed ${executed.digest}: ${breach}`);
  }

  private subjectOf(transaction: DecodedTransaction, tried?: DryRun): AccessSubject {
    const { ledger } = this;
    return {
      caller: 'random',
      reservation: { gasBudget: GAS_BUDGET, durationSecs: 60 },
      time: new Date(),
      sponsor: transaction.gasOwner,
      transaction,
      largestCost: transaction.gasBudget,
      referenceGasPrice: 1_000n,
      transactionJson: () => ledger.transactionJson(transaction),
      readArguments: (isRelevant) => ledger.readArguments(transaction, isRelevant),
      readBalanceChanges: async () => {
        if (!tried) throw new Untried();
        if (tried.kind !== 'accepted') return null;
        const { effects, balanceChanges } = tried.simulated;
        if (effects.status.status !== 'success') return null;
        return ledger.readBalanceChanges(balanceChanges, transaction.gasOwner, effects);
      },
      reservationId: 1,
      txBytes: '',
      userSig: '',
      header: () => undefined,
    };
  }

  private forget(): void {
    this.#cpuMs = [];
    this.#violations = [];
  }

  private count(outcome: string): void {
    this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
  }

  private violate(text: string): void {
    this.options.say(text);
    this.#violations.push(text);
  }

  private report(): DecisionReport {
    const cpuMs = (share: number) => Math.round(100 * percentile(this.#cpuMs, share)) / 100;
    const [early = 0] = this.#heap;
    const most = Math.max(...this.#heap);
    const grown = most - early;
    const growth = grown > MOST_GROWTH_MIB ? [`the heap has grown by ${grown} MiB`] : [];
    return {
      transactions: this.#cpuMs.length,
      largestBytes: this.#largest,
      outcomes: this.#outcomes,
      executed: this.#executed,
      cpuMs: { p50: cpuMs(0.5), p99: cpuMs(0.99), most: cpuMs(1) },
      heapMiB: { early, most },
      violations: [...this.#violations, ...growth],
    };
  }
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapMiB(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return Math.round((heapUsed + external) / 2 ** 20);
}
