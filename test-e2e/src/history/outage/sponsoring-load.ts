import { setTimeout as delay } from 'node:timers/promises';
import { type Application, sponsor } from '../../support/application.js';
import { netGas } from '../../support/net-gas.js';

/** Sponsored transactions of one phase. */
export interface Phase {
  readonly name: string;
  /** How long each took from reserve to effects, in ms. */
  readonly times: number[];
}

/** Sponsors at a steady rate, whatever the answers take. */
export class SponsoringLoad {
  /** Sum of what the ledger charged, in its smallest unit. */
  gas = 0n;
  sponsored = 0;
  /** Refused and failed transactions, as text. */
  readonly failures: string[] = [];
  readonly phases: Phase[] = [];
  readonly #underway = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly application: Application,
    private readonly ratePerSecond: number,
  ) {}

  /** From now on, times belong to this phase. */
  begin(name: string): void {
    this.phases.push({ name, times: [] });
  }

  start(): void {
    this.#ended = this.run();
  }

  /** Completes what is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
    await Promise.all(this.#underway);
  }

  private async run(): Promise<void> {
    const { signal } = this.#stopping;
    const startedAt = performance.now();
    for (let n = 0; !signal.aborted; n++) {
      const sponsored = this.sponsorOne(this.phases.at(-1)!).finally(() =>
        this.#underway.delete(sponsored),
      );
      this.#underway.add(sponsored);
      const nextAt = startedAt + ((n + 1) * 1_000) / this.ratePerSecond;
      const pauseMs = Math.max(0, nextAt - performance.now());
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async sponsorOne({ times }: Phase): Promise<void> {
    const startedAt = performance.now();
    try {
      const { answer } = await sponsor(this.application);
      const { status, body } = answer;
      if (status !== 200 || body.effects?.status.status !== 'success') {
        throw new Error(`execute answered ${status} ${JSON.stringify(body)}`);
      }
      times.push(performance.now() - startedAt);
      this.sponsored += 1;
      this.gas += netGas(body.effects);
    } catch (error) {
      this.failures.push(error instanceof Error ? error.message : String(error));
    }
  }
}
