import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { createIotaLedger, type DecodedTransaction, type Ledger } from '@forecourt/ledger';
import {
  type AccessDecision,
  type AccessSubject,
  AccessUndecided,
  decideAccess,
  readAccessRules,
} from '@forecourt/policy/access';
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
const FUNDS = 1_000_000_000_000_000_000;
const SPLIT_FROM = 1_000_000_000_000_000;
const TENTHS = 10;
const LARGEST = 128 * 1024;
/** Until then, code is compiled and connections are opened. */
const WARM_UP = 50;

/** Decides about random transactions by rules that read arguments, types and balances, and executes on devnet what they allow. */
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
    await control.mint(run.sender, FUNDS);
    await control.mint(run.sender, SPLIT_FROM);
    return await run.run();
  } finally {
    await node.stop();
  }
}

class DecisionRun {
  readonly #user = new Ed25519Keypair();
  readonly #outcomes: Record<string, number> = {};
  readonly #cpuMs: number[] = [];
  readonly #heap: number[] = [];
  readonly #violations: string[] = [];
  #executed = 0;
  #largest = 0;
  #coins: readonly ObjectRef[] = [];

  constructor(
    private readonly options: DecisionOptions,
    private readonly ledger: Ledger,
    private readonly client: IotaClient,
  ) {}

  get sender(): string {
    return this.#user.toIotaAddress();
  }

  async run(): Promise<DecisionReport> {
    const { seed, transactions, say } = this.options;
    const rules = await readAccessRules(RULES, '/rules.yaml');
    const random = new Seeded(seed);
    await this.readCoins();
    for (let index = -WARM_UP; index < transactions; index++) {
      if (index === 0) this.forget();
      await this.decideOne(random.branch(), `${seed}/${index}`, (subject) =>
        decideAccess(rules, subject, {
          known: new Map(),
          caps: [],
          askHook: () => Promise.reject(new Error('no rule has a hook')),
        }),
      );
      if (index >= 0 && (index + 1) % Math.ceil(transactions / TENTHS) === 0) {
        this.#heap.push(heapMiB());
        say(`${index + 1}: ${JSON.stringify(this.report())}`);
      }
      if (this.#violations.length >= MOST_VIOLATIONS) break;
    }
    return this.report();
  }

  private async decideOne(
    random: Seeded,
    name: string,
    decide: (subject: AccessSubject) => Promise<AccessDecision>,
  ): Promise<void> {
    const [gas, coin] = this.#coins;
    const program = new RandomProgram(random, { recipients: RECIPIENTS, coin: coin! }).make();
    const bytes = serializeRaw({
      program,
      user: this.#user,
      reservation: { sponsor_address: this.sender, gas_coins: [] },
      payment: [{ ...gas!, version: Number(gas!.version) }],
      gasBudget: GAS_BUDGET,
    });
    if (bytes.length > LARGEST) return;
    this.#largest = Math.max(this.#largest, bytes.length);
    let decision: AccessDecision | null = null;
    let cpuMs = Infinity;
    // The work is the same each time; what else the process does is not.
    for (let attempt = 0; attempt < ATTEMPTS && cpuMs > MOST_CPU_MS; attempt++) {
      const before = process.cpuUsage();
      let transaction: DecodedTransaction;
      try {
        transaction = this.ledger.decodeTransaction(bytes);
      } catch {
        this.count('not decoded');
        return;
      }
      try {
        decision = await decide(this.subjectOf(transaction));
      } catch (error) {
        this.count('undecided');
        if (!(error instanceof AccessUndecided)) this.violate(`${name}: ${String(error)}`);
        return;
      }
      const { user, system } = process.cpuUsage(before);
      cpuMs = Math.min(cpuMs, (user + system) / 1_000);
    }
    this.#cpuMs.push(cpuMs);
    if (cpuMs > MOST_CPU_MS) {
      this.violate(`${name}: the decision about ${bytes.length} bytes took ${cpuMs} ms`);
    }
    if (decision === null) return;
    const rule = decision.outcome === 'allow' ? decision.rule!.name : 'denied';
    this.count(rule);
    if (rule !== 'denied') await this.execute(name, rule, bytes);
  }

  private async execute(name: string, rule: string, bytes: Uint8Array): Promise<void> {
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
    await this.readCoins();
    if (executed.effects?.status.status !== 'success') return;
    this.#executed += 1;
    const breach = await findBreach(rule, executed, this.client, this.sender);
    if (breach !== null) this.violate(`${name}: ${rule} allowed ${executed.digest}: ${breach}`);
  }

  private subjectOf(transaction: DecodedTransaction): AccessSubject {
    const { ledger } = this;
    return {
      caller: 'random',
      reservation: { gasBudget: GAS_BUDGET, durationSecs: 60 },
      at: new Date(),
      sponsor: transaction.gasOwner,
      transaction,
      largestCost: transaction.gasBudget,
      referenceGasPrice: 1_000n,
      transactionJson: () => ledger.transactionJson(transaction),
      readArguments: (isAsked) => ledger.readArguments(transaction, isAsked),
      readBalanceChanges: async () => {
        const tried = await ledger.dryRun(transaction);
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

  /** The first two coins, of which the larger one pays. Random transactions add others. */
  private async readCoins(): Promise<void> {
    if (this.#coins.length === 0) {
      const { data } = await this.client.getCoins({ owner: this.sender });
      const size = (coin: (typeof data)[number]) => BigInt(coin.balance);
      this.#coins = data
        .toSorted((one, other) => (size(one) > size(other) ? -1 : 1))
        .map(({ coinObjectId: objectId, version, digest }) => ({ objectId, version, digest }));
      return;
    }
    const ids = this.#coins.map(({ objectId }) => objectId);
    const shown = await this.client.multiGetObjects({ ids });
    this.#coins = shown.map(({ data }) => data!);
  }

  private forget(): void {
    this.#cpuMs.length = 0;
    this.#violations.length = 0;
  }

  private count(outcome: string): void {
    this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
  }

  private violate(text: string): void {
    this.options.say(text);
    this.#violations.push(text);
  }

  private report(): DecisionReport {
    const sorted = this.#cpuMs.toSorted((one, other) => one - other);
    const at = (share: number) =>
      Math.round(100 * (sorted[Math.floor(share * (sorted.length - 1))] ?? 0)) / 100;
    const [early = 0] = this.#heap;
    const most = Math.max(...this.#heap);
    const grown = most - early;
    const growth = grown > MOST_GROWTH_MIB ? [`the heap has grown by ${grown} MiB`] : [];
    return {
      transactions: this.#cpuMs.length,
      largestBytes: this.#largest,
      outcomes: this.#outcomes,
      executed: this.#executed,
      cpuMs: { p50: at(0.5), p99: at(0.99), most: at(1) },
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
