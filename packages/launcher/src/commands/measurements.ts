import { join } from 'node:path';
import { type Command, Failure, readOptions } from '../workspace/command.js';
import { runBenchmark, runOfTests } from '../workspace/prepare.js';
import { ensureChromium } from '../workspace/system-programs.js';
import { DATA_FOLDER } from '../workspace/workspace-config.js';
import { packInto } from './pack-station.js';
import { testCommand, VARIANTS } from './test-command.js';
import { verifyAlerts } from './verify-alerts.js';
import { verifyContainers } from './verify-containers.js';
import { verifyChart, verifyKubernetes } from './verify-kubernetes.js';

/** Name → what the program does, and the program. */
type Programs = Readonly<Record<string, readonly [about: string, run: Command]>>;

const CLIENT_PACKAGE_HELP = `npm run verify -- client-package

Packs @forecourt/client, installs it in an empty folder outside of the repository, checks the package with public tools, and
compiles and runs the examples of its README with exactly what the README says to install: in the oldest Node that is
supported, and in Chromium, against the system that npm start starts. Needs the registry of npm. Installs Chromium on Debian as
root; elsewhere it must be there, on the PATH or as CHROMIUM.`;

const DEVNET_HELP = `npm run verify -- devnet

Replays the recorded answers of a real node against devnet, and lists the differences.`;

const EXAMPLE_HELP = `npm run verify -- example [--screenshots]

Starts a whole system and the example of docs/examples, and uses the page in Chromium: a visitor who owns nothing has
transactions sponsored, sees their events, and is refused beyond the limit. Compares what the page shows with the ledger.
Installs Chromium on Debian as root; elsewhere it must be there, on the PATH or as CHROMIUM.

  --screenshots     replaces the pictures of docs/examples`;

const API_TYPES_HELP = `npm run forecourt -- api-types

Writes the types of the client package's results from the gateway's OpenAPI document.`;

const PACKAGE_HELP = `npm run verify -- package

Packs the station, and starts it as strangers do: in empty folders with empty caches, with Node 20.19, 22 and 24, as root
and as an ordinary user; with Yarn 4, pnpm and Bun. Downloads all of these from npm.`;

const SCREENSHOTS_HELP = `npm run forecourt -- console-screenshots

Starts a whole system with transactions, failures, refusals and a quarantine, and takes the pictures of docs/console.
Installs Chromium on Debian as root; elsewhere it must be there, on the PATH or as CHROMIUM.`;

const OPENAPI_HELP = `npm run verify -- openapi

Checks openapi.json with public tools, and has a client that is generated from it sponsor a transaction.`;

/** Programs of test-e2e/benchmark, which read their options themselves. */
const benchmark =
  (name: string, redis: boolean): Command =>
  (args) =>
    runBenchmark(name, redis, args);

/** Programs of test-e2e, which read their options themselves. */
const program =
  (...path: string[]): Command =>
  (args) =>
    runOfTests(path, args);

/** Programs of test-e2e without options. */
const check =
  (help: string, ...path: string[]): Command =>
  async (args) =>
    readOptions(help, {}, args) === null ? 0 : runOfTests(path, []);

async function verifyClientPackage(args: string[]): Promise<number> {
  if (readOptions(CLIENT_PACKAGE_HELP, {}, args) === null) return 0;
  return runOfTests(
    ['deployment', 'client-package', 'verify-client-package.js'],
    [await ensureChromium()],
  );
}

async function verifyPackage(args: string[]): Promise<number> {
  if (readOptions(PACKAGE_HELP, {}, args) === null) return 0;
  return runOfTests(
    ['deployment', 'package', 'verify-package.js'],
    [await packInto(join(DATA_FOLDER, 'packed'))],
  );
}

async function verifyExample(args: string[]): Promise<number> {
  const options = readOptions(EXAMPLE_HELP, { screenshots: { type: 'boolean' } }, args);
  if (options === null) return 0;
  const flags = options.screenshots ? ['--screenshots'] : [];
  return runOfTests(
    ['deployment', 'example', 'verify-example.js'],
    [await ensureChromium(), ...flags],
  );
}

async function takeScreenshots(args: string[]): Promise<number> {
  if (readOptions(SCREENSHOTS_HELP, {}, args) === null) return 0;
  return runOfTests(['console', 'take-screenshots.js'], [await ensureChromium()]);
}

/** Programs of `npm run bench`. */
export const benchmarks: Programs = {
  sponsoring: ['reserve and execute; usual if no name is given', benchmark('sponsoring', true)],
  access: ['decisions of the access rules', benchmark('access', false)],
  events: ['matching, paging and fan-out of events', benchmark('events', false)],
  history: ['pages, usage and writing with a million sponsorships', benchmark('history', true)],
  index: ['writing, pages and size with ten million events', benchmark('index', false)],
  path: ['the modules that a reserve and an execute run', benchmark('path', true)],
  shape: ['a pool that pays for a million transactions, simulated', benchmark('shape', true)],
  webhooks: ['1000 receivers, of which 300 fail', benchmark('webhooks', false)],
};

/** Programs of `npm run soak`. */
export const soaks: Programs = {
  chaos: [
    'kills processes and injects node faults under load; usual if no name is given',
    program('chaos', 'soak.js'),
  ],
  attacks: ['runs attackers beside honest clients', program('attacks', 'soak', 'soak.js')],
  decisions: [
    'decides about random transactions, and compares what is allowed with what is executed',
    program('access', 'decisions', 'soak.js'),
  ],
  outage: [
    'stops PostgreSQL for an hour while the fleet sponsors',
    program('history', 'outage', 'soak.js'),
  ],
  recovery: ['measures recovery after one kill', program('chaos', 'recovery', 'soak.js')],
};

/** Programs of `npm run verify`. */
export const verifications: Programs = {
  alerts: ["tests the alert rules with Prometheus' promtool", verifyAlerts],
  chart: ['checks the Helm chart with Helm; --write renders docker/kubernetes', verifyChart],
  'client-package': [
    'installs the packed client as a new user does, in Node and Chromium',
    verifyClientPackage,
  ],
  clients: [
    'runs public clients of gas stations in their own code',
    program('sponsoring', 'public-clients', 'verify-clients.js'),
  ],
  containers: ['tests the image and the Compose file on a container engine', verifyContainers],
  devnet: [
    'compares devnet with answers recorded on a real node',
    check(DEVNET_HELP, 'support', 'recorded-node', 'verify-devnet.js'),
  ],
  example: ['tests the example in Chromium', verifyExample],
  grpc: [
    'compares our gRPC messages with the published ones; runs the official Rust crates',
    program('sponsoring', 'grpc-clients', 'verify-grpc.js'),
  ],
  'grpc-suite': [
    'runs all end-to-end tests with services that use the ledger over gRPC',
    (args) => testCommand(['--ledger', 'grpc', ...args]),
  ],
  idle: ['measures the processor time of an idle system', benchmark('idle', true)],
  'index-suite': [
    'runs the end-to-end tests of events with an index of events',
    (args) => testCommand(['--events', 'index', ...args]),
  ],
  ingress: [
    'sends many requests ahead through a real HAProxy',
    program('attacks', 'ingress', 'verify-ingress.js'),
  ],
  kubernetes: ['applies the manifests to a real kube-apiserver', verifyKubernetes],
  mutants: [
    'changes the code in small ways and counts the changes that unit tests detect',
    program('support', 'mutants', 'main.js'),
  ],
  openapi: [
    'tests the OpenAPI document with public tools',
    check(OPENAPI_HELP, 'operations', 'openapi-client', 'verify-openapi.js'),
  ],
  package: [
    'starts the packed station in empty folders, with several versions of Node',
    verifyPackage,
  ],
  signers: [
    'has real key services sign: AWS KMS by moto, Vault',
    program('sponsoring', 'real-signers', 'verify-signers.js'),
  ],
  upgrade: [
    'upgrades a running system and rolls it back',
    program('deployment', 'upgrade', 'verify-upgrade.js'),
  ],
  variants: [
    'breaks each promise on purpose and verifies that a test fails',
    (args) =>
      testCommand([
        '--selectProjects',
        'e2e',
        '--runInBand',
        '--testPathPatterns',
        VARIANTS,
        ...args,
      ]),
  ],
};

/** Commands that measure or verify a built system. */
export const measurements: Readonly<Record<string, Command>> = {
  bench: choose('bench', benchmarks, 'sponsoring'),
  soak: choose('soak', soaks, 'chaos'),
  verify: choose('verify', verifications),
  'console-screenshots': takeScreenshots,
  'api-types': check(API_TYPES_HELP, 'console', 'write-types.js'),
};

/**
 * Runs the program that the first argument names, and lists all of them without one. `usual`: the program for
 * options without a name.
 */
function choose(script: string, programs: Programs, usual?: string): Command {
  const width = Math.max(...Object.keys(programs).map((name) => name.length));
  const lines = Object.entries(programs).map(
    ([name, [about]]) => `  ${name.padEnd(width)}  ${about}`,
  );
  const list = [
    `npm run ${script} -- <name> [its options; --help explains them]`,
    '',
    ...lines,
  ].join('\n');
  return async (args) => {
    const [first = '--help', ...rest] = args;
    if (Object.hasOwn(programs, first)) return programs[first]![1](rest);
    if (['--help', '-h'].includes(first)) {
      process.stdout.write(`${list}\n`);
      return 0;
    }
    if (usual !== undefined && first.startsWith('-')) return programs[usual]![1](args);
    throw new Failure(`unknown argument ${first}\n\n${list}`);
  };
}
