import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readProgramOptions } from '@forecourt/testing/options';
import type { Application } from '../../support/application.js';
import { startTestSystem } from '../../support/start-test-system.js';
import type { TestSystem } from '../../support/test-system.js';
import { coinVersions, type CoinVersions, publishedClients } from './published-clients.js';
import { recordedClients, runRecorded } from './recorded-clients.js';
import { problemsOf, reportClients, type Station, type TriedClient } from './report-clients.js';
import { install, runPublished } from './run-published.js';

const RESULTS = fileURLToPath(new URL('../../../results/', import.meta.url));
const HELP = `npm run verify -- clients

Runs public clients against a local system: published ones, which are installed from npm, PyPI and crates in a
temporary folder, by their own code; of the others, the requests. Ends with 1 if one works elsewhere than it must,
or cannot be installed. Needs cargo and python3; building the Rust client takes about ten minutes the first time.
Writes test-e2e/results/clients.md.`;

interface Client extends Omit<TriedClient, 'outcomes'> {
  readonly outcomes: Partial<Record<Station, string | null>>;
  readonly use: (station: Application, ledgerUrl: string) => Promise<string>;
}

const say = (text: string) => process.stderr.write(`${text}\n`);

async function installPublished(): Promise<Client[]> {
  const clients: Client[] = [];
  for (const client of publishedClients) {
    say(`installing ${client.name}`);
    clients.push({
      name: client.name,
      kind: 'published',
      missing: await install(client),
      outcomes: {},
      expected: client.worksWith,
      use: async ({ url, token, ledger }, ledgerUrl) => {
        const price = String(await ledger.getReferenceGasPrice());
        const env = { GAS_STATION: url, LEDGER_URL: ledgerUrl, TOKEN: token, GAS_PRICE: price };
        return runPublished(client, env);
      },
    });
  }
  return clients;
}

const recorded = (): Client[] =>
  recordedClients.map((client) => ({
    name: client.name,
    kind: 'recorded',
    missing: null,
    outcomes: {},
    expected: client.limitation === undefined ? coinVersions : [],
    limitation: client.limitation,
    use: (station) => runRecorded(client, station),
  }));

/** Null when the client's transaction has landed; otherwise why not. */
async function outcomeOf(
  client: Client,
  station: Application,
  ledgerUrl: string,
): Promise<string | null> {
  try {
    const digest = await client.use(station, ledgerUrl);
    const options = { showEffects: true };
    const { effects } = await station.ledger.waitForTransaction({ digest, options });
    return effects?.status.status === 'success' ? null : JSON.stringify(effects?.status);
  } catch (error) {
    return (error as Error).message;
  }
}

async function tryAll(system: TestSystem, clients: readonly Client[], versions: CoinVersions) {
  const { application: main, ledgerUrl } = system;
  const { GATEWAY_COMPATIBILITY_PORT } = system.services('gateway')[0]!.options.env;
  const compatible = { ...main, url: `http://127.0.0.1:${GATEWAY_COMPATIBILITY_PORT}` };
  for (const client of clients.filter(({ missing }) => missing === null)) {
    say(`running ${client.name}, versions of coins: ${versions}`);
    client.outcomes.main ??= await outcomeOf(client, main, ledgerUrl);
    client.outcomes[versions] = await outcomeOf(client, compatible, ledgerUrl);
  }
}

async function verify(): Promise<number> {
  const clients = [...(await installPublished()), ...recorded()];
  for (const versions of coinVersions) {
    const env = {
      GATEWAY_COMPATIBILITY_COIN_VERSIONS: versions,
      MAX_GAS_BUDGET: '5000000000',
      POOL_TARGET_COINS: '120',
    };
    const system = await startTestSystem({ env });
    try {
      await tryAll(system, clients, versions);
    } finally {
      await system.stop();
    }
  }
  const report = reportClients(clients, 'npm run verify -- clients');
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(`${RESULTS}clients.md`, report);
  process.stdout.write(report);
  const problems = problemsOf(clients);
  for (const problem of problems) say(problem);
  return problems.length === 0 ? 0 : 1;
}

readProgramOptions(HELP, {});
process.exitCode = await verify();
