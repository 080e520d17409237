import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { errorTable } from '@forecourt/contracts';
import {
  type Answer,
  call,
  executeTx,
  type Reservation,
  reserveGas,
} from '../../support/application.js';
import { type ObjectRef, serializeKind, signRaw } from '../../support/raw-transaction.js';
import { Seeded } from '../../support/seeded.js';
import { startTestSystem } from '../../support/start-test-system.js';
import type { TestSystem } from '../../support/test-system.js';
import { RECIPIENTS, RULES } from './decided-rules.js';
import { RandomProgram } from './random-program.js';

export interface AnswerReport {
  /** By route, status and error code. */
  readonly answers: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

const CLIENTS = 4;
const FUNDS = 1_000_000_000_000_000;
const GAS_BUDGET = 100_000_000;
const DURATION_SECS = 600;
const ENOUGH = '1000000';

/**
 * Has a gateway dry-run and execute random transactions, and counts its answers. Each is one that its
 * contract names.
 */
export async function countAnswers(seed: number, requests: number): Promise<AnswerReport> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-decisions-'));
  const rules = join(folder, 'rules.yaml');
  writeFileSync(rules, RULES);
  try {
    const system = await startTestSystem({
      env: {
        ACCESS_RULES_FILE: rules,
        MAX_DRY_RUNS_PER_MINUTE: ENOUGH,
        MAX_REFUSED_EXECUTIONS_PER_MINUTE: ENOUGH,
        RESERVE_MAX_UNUSED_PER_MINUTE: ENOUGH,
      },
    });
    try {
      return await new AnswerCount(system, new Seeded(seed)).run(requests);
    } finally {
      await system.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Client {
  readonly user: Ed25519Keypair;
  coin: ObjectRef;
  reservation: Reservation | null;
}

class AnswerCount {
  readonly #answers: Record<string, number> = {};
  readonly #violations: string[] = [];
  #left = 0;

  constructor(
    private readonly system: TestSystem,
    private readonly random: Seeded,
  ) {}

  async run(requests: number): Promise<AnswerReport> {
    this.#left = requests;
    await Promise.all(Array.from({ length: CLIENTS }, () => this.useAll()));
    return { answers: this.#answers, violations: this.#violations };
  }

  private async useAll(): Promise<void> {
    const { control } = this.system;
    const user = new Ed25519Keypair();
    const [coin] = await control.mint(user.toIotaAddress(), FUNDS);
    await control.untilShown();
    const client: Client = { user, coin: coin!, reservation: null };
    while (this.#left-- > 0) {
      const random = this.random.branch();
      if (random.integer(0, 1) === 0) await this.dryRun(random, client);
      else await this.execute(random, client);
    }
  }

  private async dryRun(random: Seeded, { user, coin }: Client): Promise<void> {
    const answer = await call(this.system.application, 'POST', '/v1/dry_run_tx', {
      sender: user.toIotaAddress(),
      kind_bytes: Buffer.from(serializeKind(this.program(random, coin))).toString('base64'),
    });
    this.count('dry_run_tx', answer);
  }

  private async execute(random: Seeded, client: Client): Promise<void> {
    const { application } = this.system;
    const { user, coin } = client;
    let { reservation } = client;
    if (!reservation) {
      const answer = await reserveGas(application, GAS_BUDGET, DURATION_SECS);
      this.count('reserve_gas', answer);
      reservation = answer.body.result ?? null;
      if (!reservation) return;
    }
    const program = this.program(random, coin);
    const transaction = await signRaw({ program, user, reservation, gasBudget: GAS_BUDGET });
    const answer = await executeTx(application, reservation, transaction);
    this.count('execute_tx', answer);
    // A transaction that is refused for its content leaves the reservation to the next one.
    client.reservation = [403, 413].includes(answer.status) ? reservation : null;
    const changed = answer.body.effects?.mutated?.find(
      ({ reference }) => reference.objectId === coin.objectId,
    );
    client.coin = changed?.reference ?? coin;
  }

  private program(random: Seeded, coin: ObjectRef) {
    return new RandomProgram(random, { recipients: RECIPIENTS, coin }).make();
  }

  private count(route: string, { status, headers, body }: Answer): void {
    const code = status < 500 ? '' : findCode(status, body.error ?? '');
    const name = `${route} ${status} ${code ?? ''}`.trim();
    this.#answers[name] = (this.#answers[name] ?? 0) + 1;
    const isPromised = status < 500 || (status === 503 && code && headers.has('retry-after'));
    if (!isPromised) this.#violations.push(`${name}: ${JSON.stringify(body)}`);
  }
}

/** The code of the error with this text; null without one. */
function findCode(status: number, text: string): string | null {
  const found = Object.entries(errorTable).find(
    ([, error]) => error.status === status && text.startsWith(error.message.split('{detail}')[0]!),
  );
  return found?.[0] ?? null;
}
