import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalSigner } from '@forecourt/ledger';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { HttpConnection } from './load/http-connection.js';
import { TransactionTemplate } from './load/transaction-template.js';
import { execute, GAS_BUDGET, readClock, reserve } from './load/users.js';
import { type Modules, ROOT } from './path/read-calls.js';
import { CallReader } from './path/call-reader.js';
import type { Row } from './row.js';
import { runBenchmark, say } from './run-benchmark.js';
import { BenchSystem } from './sponsoring/bench-system.js';

/** A function on the path is called for each of them; what runs now and then is not. */
const CALLS = 100;
/** Lines of the modules on the path. */
const MOST = { reserve: 5_000, execute: 10_000 };
const HELP = `npm run bench -- path

Starts gateway, coin-pool, executor and events in one process, has ${CALLS} transactions sponsored one after the other, and lists
the modules of this repository of which each call of reserve_gas and of execute_tx runs a function, with these functions.
Its figures are the lines of these modules: what a reader of the path has before them.
What runs only now and then, such as upkeep, is not among them; nor is history, which is written after the answer.`;

async function measure(): Promise<Row[]> {
  const reader = new CallReader();
  say('starting');
  const bench = await BenchSystem.start({
    coins: 5 * CALLS,
    processes: 'one',
    env: { NODE_OPTIONS: reader.nodeOptions },
  });
  try {
    const { pid } = bench.system.processes.find(({ name }) => name === 'station')!;
    const { url, token } = bench.gateway;
    const connection = await HttpConnection.open(url, token);
    const user = createLocalSigner(new Ed25519Keypair().getSecretKey());
    const template = await TransactionTemplate.build({
      sender: user.address,
      gasOwner: bench.system.sponsor,
      gasBudget: GAS_BUDGET,
      build: readClock,
    });
    // Functions that only a first call runs are not on the path.
    await execute(connection, user, template, await reserve(connection));
    const reservations: Awaited<ReturnType<typeof reserve>>[] = [];
    const reserving = await reader.during(pid!, CALLS, async () => {
      while (reservations.length < CALLS) reservations.push(await reserve(connection));
    });
    const executing = await reader.during(pid!, CALLS, async () => {
      for (const one of reservations) await execute(connection, user, template, one);
    });
    connection.close();
    return [
      describe('reserve_gas', reserving, MOST.reserve),
      describe('execute_tx', executing, MOST.execute),
    ];
  } finally {
    await bench.stop();
    reader.close();
  }
}

function describe(call: string, modules: Modules, most: number): Row {
  const paths = [...modules.keys()].sort();
  say(`${call}:`);
  for (const path of paths) {
    const called = [...modules.get(path)!].filter(Boolean).join(', ');
    say(`  ${path} (${linesOf(path)}): ${called}`);
  }
  const value = paths.reduce((sum, path) => sum + linesOf(path), 0);
  const what = `lines of the modules that each ${call} runs`;
  return { what, value, unit: '', target: most.toLocaleString('en'), isMet: value <= most };
}

function linesOf(path: string): number {
  return readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1;
}

await runBenchmark({
  help: HELP,
  options: {},
  measure: async () => ({ rows: await measure() }),
});
