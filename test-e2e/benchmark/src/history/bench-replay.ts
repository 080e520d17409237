import { writeDecisionFacts } from '@forecourt/contracts';
import { Database, DAY_MS, Partitions } from '@forecourt/history/database';
import { insertSponsorships } from '@forecourt/history/writing';
import { TransactionTemplate } from '../load/transaction-template.js';
import { readClock } from '../load/users.js';
import { median, type Row } from '../row.js';
import { say } from '../run-benchmark.js';
import { address } from '../samples.js';
import { BenchSystem } from '../sponsoring/bench-system.js';
import { warmUp } from '../sponsoring/effort.js';
import { processorTime, usedBetween } from '../sponsoring/processor-time.js';
import { sampleSponsorship } from './sample-sponsorships.js';

const BATCH = 2_000;
const SENDERS = 500;
const USERS = 8;
/** Two cores serve them without waiting. */
const PER_SECOND = 40;
const SECONDS = 3;
/** Of load alone, in each round. */
const STRETCHES = 4;
const MOST_SECONDS = 30;
/** The 99th percentile of others beside a replay, in that without one. */
const MOST_SLOWER = 1.5;

const FACTS = writeDecisionFacts({
  gasBudget: 10_000_000,
  durationSecs: 60,
  referenceGasPrice: 1_000n,
  largestCost: 10_000_000n,
  isOfAbstractAccount: false,
});

/** Twenty rules with conditions of all kinds and limits, of which the last decides. */
const RULES = [
  'access-controller:\n  access-policy: deny-all\n  sponsor-budget: { value: 100000 coins, window: 1 day }\n  rules:\n',
  ...Array.from({ length: 9 }, (_, index) => {
    const target = `${address(600_000 + index)}::module::function`;
    return `  - { move-call-function: '${target}', gas-usage: { value: '<=1 coins', window: 1 hour, count-by: [sender-address] }, action: allow }\n`;
  }),
  ...Array.from({ length: 9 }, (_, index) => {
    const test = `tx.gasBudget < ${index} && tx.calls.exists(c, c.name == "no_${index}")`;
    return `  - { expression: '${test}', action: deny }\n`;
  }),
  `  - { move-call-function: '0x2::clock::timestamp_ms', requests: { value: '<=100', window: 1 hour, count-by: [sender-address] }, action: allow }\n`,
].join('');

/** Writes sponsorships of one day with their decisions, as history does. */
async function fillTraffic(databaseUrl: string, records: number, now: number): Promise<void> {
  const database = new Database({ databaseUrl, databaseConnections: 5 });
  const partitions = new Partitions(database);
  const transactions = await Promise.all(
    Array.from({ length: SENDERS }, async (_, index) => {
      const coin = { objectId: address(index), version: 7, digest: DIGEST };
      const template = await TransactionTemplate.build({
        sender: address(700_000 + index),
        gasOwner: address(800_000),
        gasBudget: 10_000_000,
        build: readClock,
      });
      return template.fill(coin).toString('base64');
    }),
  );
  for (let begin = 0; begin < records; begin += BATCH) {
    const length = Math.min(BATCH, records - begin);
    const batch = Array.from({ length }, (_, offset) => {
      const index = begin + offset;
      const sponsorship = sampleSponsorship(index, { records, days: 1, now });
      const decision = { at: sponsorship.created_at + 5, facts: FACTS };
      return { sponsorship, decision, transaction: transactions[index % SENDERS]! };
    });
    await partitions.ensure(batch.flatMap(({ decision: { at } }) => [at - 5, at]));
    await database.transaction((client) => insertSponsorships(client, batch));
  }
  await database.pool.query('VACUUM ANALYZE');
  await database.close();
}

const DIGEST = '9knpRtwCc9LK1BCJ222KZwgr9ZVHDyZhiLUTPt82FtmV';

interface Replayed {
  readonly seconds: number;
  readonly decided: number;
}

async function replay({ gateway }: BenchSystem, from: number, to: number): Promise<Replayed> {
  const begun = performance.now();
  const response = await fetch(`${gateway.url}/v1/access/replay`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ rules: RULES, from, to }),
  });
  const text = await response.text();
  const [, result] = /event: result\ndata: (.*)\n/.exec(text) ?? [];
  if (result === undefined) throw new Error(`the replay answered ${text.slice(-500)}`);
  const { decided } = JSON.parse(result) as { decided: number };
  return { seconds: (performance.now() - begun) / 1_000, decided };
}

/** Measures a replay of so many records, and what it costs others: rounds of short stretches of load without and with one, in turn. */
export async function benchReplay(records: number, rounds: number): Promise<Row[]> {
  const bench = await BenchSystem.start({ coins: 2_000, history: true });
  try {
    const now = Date.now();
    await fillTraffic(bench.system.facts.databaseUrl!, records, now);
    const { load, sponsoring } = bench;
    await warmUp(() => load.run({ ...sponsoring, users: 32, seconds: 6 }), say);
    const before = processorTime(bench.system);
    await replay(bench, now - DAY_MS, now);
    const used = usedBetween(before, processorTime(bench.system));
    const pace = { ...sponsoring, users: USERS, seconds: SECONDS, perSecond: PER_SECOND };
    const replays: number[] = [];
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let round = 1; round <= rounds; round += 1) {
      for (let stretch = 0; stretch < STRETCHES; stretch += 1)
        alone.push((await load.run(pace)).p99);
      let isOver = false;
      const replaying = replay(bench, now - DAY_MS, now).finally(() => (isOver = true));
      while (!isOver) {
        const { p99 } = await load.run(pace);
        // Otherwise it was alone for a part of the time.
        if (!isOver) beside.push(p99);
      }
      const { seconds, decided } = await replaying;
      if (decided !== records) throw new Error(`${decided} were decided`);
      replays.push(seconds);
      say(`  round ${round}: ${seconds.toFixed(1)} s`);
    }
    const seconds = median(replays);
    const p99 = median(beside);
    const without = median(alone);
    const processors = (['gateway', 'history'] as const).map((name) => ({
      what: `processor for a replayed decision, ${name}`,
      value: (used.get(name)! / records) * 1e6,
      unit: 'µs',
    }));
    return [
      ...processors,
      {
        what: `replay of ${records} decisions by twenty rules, beside ${PER_SECOND} transactions/s`,
        value: seconds,
        unit: 's',
        target: `${MOST_SECONDS} s`,
        isMet: seconds <= MOST_SECONDS,
      },
      {
        what: 'p99 of execute_tx beside a replay',
        value: p99,
        unit: 'ms',
        ratio: p99 / without,
        reference: `without a replay, ${without.toFixed(1)} ms`,
        target: `${MOST_SLOWER} of it`,
        isMet: p99 / without <= MOST_SLOWER,
      },
    ];
  } finally {
    await bench.stop();
  }
}
