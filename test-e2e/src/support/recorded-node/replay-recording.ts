import { compareAnswers } from './compare-answers.js';
import { type Answer, readRecording, type RecordedCall } from './recording.js';
import type { CoinReference, Scenario } from './scenario.js';
import { translateSignature, translateTransaction } from './translate-transaction.js';

export interface Difference {
  readonly name: string;
  readonly lines: readonly string[];
}

const WRITES = /^iota_(execute|dryRun)TransactionBlock$/;
/** Ids in parameters of reads: coins of the recording. */
const ID = /0x[0-9a-f]{64}/g;
const EVERYWHERE = /^0x(0{60}|(ab){32})/;

/** The number of calls, and those with a different answer. */
export interface Replay {
  readonly calls: number;
  readonly differences: readonly Difference[];
}

/** Sends every recorded call to a devnet. */
export async function replayRecording(scenario: Scenario): Promise<Replay> {
  await scenario.begin();
  const recording = readRecording();
  const replay = new CallReplay(scenario);
  const differences: Difference[] = [];
  for (const call of recording) {
    const lines = compareAnswers(call, await replay.send(call));
    if (lines.length > 0) differences.push({ name: call.name, lines });
  }
  return { calls: recording.length, differences };
}

class CallReplay {
  /** Translates equal bytes equally, for dry runs and repeated submissions. */
  readonly #transactions = new Map<string, string>();
  readonly #coins = new Map<string, CoinReference>();

  constructor(private readonly scenario: Scenario) {}

  async send(call: RecordedCall): Promise<Answer> {
    const { method } = call.request;
    const params = WRITES.test(method) ? await this.writeParams(call) : await this.readParams(call);
    const response = await fetch(this.scenario.options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await response.json()) as Answer;
  }

  private async writeParams({ request, error }: RecordedCall): Promise<readonly unknown[]> {
    const [recorded, signatures, ...rest] = request.params as [string, string[] | undefined];
    const said = error?.message ?? '';
    const translated =
      this.#transactions.get(recorded) ??
      (await translateTransaction(this.scenario, recorded, said));
    this.#transactions.set(recorded, translated);
    if (signatures === undefined) return [translated];
    const translatedSignatures = [];
    for (const one of signatures) {
      translatedSignatures.push(await translateSignature(this.scenario, one, translated, said));
    }
    return [translated, translatedSignatures, ...rest];
  }

  private async readParams({ request }: RecordedCall): Promise<readonly unknown[]> {
    if (request.method === 'iota_getCheckpoint' && Number(request.params[0]) < 1_000) {
      const latest = await this.scenario.client.getLatestCheckpointSequenceNumber();
      return [String(Math.min(Number(request.params[0]), Number(latest)))];
    }
    const text = JSON.stringify(request.params).replace(ID, (id) => this.translateId(id));
    return JSON.parse(text) as readonly unknown[];
  }

  private translateId(id: string): string {
    if (EVERYWHERE.test(id)) return id;
    const address = this.scenario.addressOf(id);
    if (address !== id) return address;
    const coin = this.#coins.get(id) ?? this.scenario.takeCoin(this.scenario.user);
    this.#coins.set(id, coin);
    return coin.objectId;
  }
}
