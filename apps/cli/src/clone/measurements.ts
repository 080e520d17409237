import { join } from 'node:path';
import type { Command } from 'commander';
import { runBenchmark, runOfTests } from '../workspace/prepare.js';
import { ensureChromium } from '../workspace/system-programs.js';
import { DATA_FOLDER } from '../workspace/workspace-config.js';
import { packInto } from './pack-command.js';
import { testCommand, VARIANTS } from './test-command.js';
import { alertsCommand } from './verify-alerts.js';
import { containersCommand } from './verify-containers.js';
import { chartCommand, kubernetesCommand } from './verify-kubernetes.js';

/** Gives a new command its options and its action. */
type Define = (command: Command) => Command;

/** Name → what the program does, and its command. */
type Programs = Readonly<Record<string, readonly [about: string, define: Define]>>;

const CLIENT_PACKAGE_HELP = `
Packs @forecourt/client, installs it in an empty folder outside of the repository, checks the package with public tools, and
compiles and runs the examples of its README with exactly what the README says to install: in the oldest Node that is
supported, and in Chromium, against the system that npm start starts. Needs the registry of npm. Installs Chromium on Debian as
root; elsewhere it must be there, on the PATH or as CHROMIUM.`;

const DEVNET_HELP = `
Replays the recorded answers of a real node against devnet, and lists the differences.`;

const EXAMPLE_HELP = `
Starts a whole system and the example of docs/examples, and uses the page in Chromium: a visitor who owns nothing has
transactions sponsored, sees their events, and is refused beyond the limit. Compares what the page shows with the ledger.
Installs Chromium on Debian as root; elsewhere it must be there, on the PATH or as CHROMIUM.`;

const API_TYPES_HELP = `
Writes the types of the client package's results from the gateway's OpenAPI document.`;

const PACKAGE_HELP = `
Packs the station, and starts it as strangers do: in empty folders with empty caches, with Node 20.19, 22 and 24, as root
and as an ordinary user; with Yarn 4, pnpm and Bun. Downloads all of these from npm.`;

const SCREENSHOTS_HELP = `
Starts a whole system with transactions, failures, refusals and a quarantine, and takes a picture of each page of the
console: light, dark and on a phone, in .data/console. Replaces those of docs/console.
Installs Chromium on Debian as root; elsewhere it must be there, on the PATH or as CHROMIUM.`;

const OPENAPI_HELP = `
Checks openapi.json with public tools, and has a client that is generated from it sponsor a transaction.`;

/** A program that reads its options itself, also --help. */
const passOn =
  (run: (args: readonly string[]) => Promise<number>): Define =>
  (command) =>
    command
      .helpOption(false)
      .allowUnknownOption()
      .argument('[options...]')
      .action(async (options: readonly string[]) => {
        process.exitCode = await run(options);
      });

/** Programs of test-e2e/benchmark. */
const benchmark = (name: string, redis: boolean) =>
  passOn((args) => runBenchmark(name, redis, args));

/** Programs of test-e2e. */
const program = (...path: string[]) => passOn((args) => runOfTests(path, args));

/** Runs a program of test-e2e that takes no options; `prepare` resolves with its arguments. */
const check =
  (help: string, path: readonly string[], prepare = async (): Promise<string[]> => []): Define =>
  (command) =>
    command.addHelpText('after', help).action(async () => {
      process.exitCode = await runOfTests(path, await prepare());
    });

const withChromium = async () => [await ensureChromium()];

const clientPackageCommand = check(
  CLIENT_PACKAGE_HELP,
  ['deployment', 'client-package', 'verify-client-package.js'],
  withChromium,
);

const packageCommand = check(
  PACKAGE_HELP,
  ['deployment', 'package', 'verify-package.js'],
  async () => [await packInto(join(DATA_FOLDER, 'packed'))],
);

/** `api-types`. */
export const apiTypesCommand = check(API_TYPES_HELP, ['console', 'write-types.js']);

/** `console-screenshots`. */
export const screenshotsCommand = check(
  SCREENSHOTS_HELP,
  ['console', 'take-screenshots.js'],
  withChromium,
);

function exampleCommand(command: Command): Command {
  return command
    .option('--screenshots', 'replace the pictures of docs/examples')
    .addHelpText('after', EXAMPLE_HELP)
    .action(async ({ screenshots }: { readonly screenshots?: boolean }) => {
      const flags = screenshots ? ['--screenshots'] : [];
      const path = ['deployment', 'example', 'verify-example.js'];
      process.exitCode = await runOfTests(path, [await ensureChromium(), ...flags]);
    });
}

const BROKEN_VARIANTS = ['--selectProjects', 'e2e', '--runInBand', '--testPathPatterns', VARIANTS];

/** Programs of `npm run bench`. */
const benchmarks: Programs = {
  sponsoring: ['reserve and execute; usual if no name is given', benchmark('sponsoring', true)],
  events: ['matching, fan-out and index of events', benchmark('events', false)],
  history: ['pages of a million sponsorships', benchmark('history', false)],
  path: ['the modules that a reserve and an execute run', benchmark('path', true)],
};

/** Programs of `npm run soak`. */
const soaks: Programs = {
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
const verifications: Programs = {
  alerts: ["tests the alert rules with Prometheus' promtool", alertsCommand],
  chart: ['checks the Helm chart with Helm; --write renders docker/kubernetes', chartCommand],
  'client-package': [
    'installs the packed client as a new user does, in Node and Chromium',
    clientPackageCommand,
  ],
  clients: [
    'runs public clients of gas stations in their own code',
    program('sponsoring', 'public-clients', 'verify-clients.js'),
  ],
  containers: ['tests the image and the Compose file on a container engine', containersCommand],
  devnet: [
    'compares devnet with answers recorded on a real node',
    check(DEVNET_HELP, ['support', 'recorded-node', 'verify-devnet.js']),
  ],
  example: ['tests the example in Chromium', exampleCommand],
  grpc: [
    'compares our gRPC messages with the published ones; runs the official Rust crates',
    program('sponsoring', 'grpc-clients', 'verify-grpc.js'),
  ],
  'grpc-suite': [
    'runs all end-to-end tests with services that use the ledger over gRPC',
    (command) => testCommand(command, { ledger: 'grpc' }),
  ],
  idle: ['measures the processor time of an idle system', benchmark('idle', true)],
  'index-suite': [
    'runs the end-to-end tests of events with an index of events',
    (command) => testCommand(command, { events: 'index' }),
  ],
  ingress: [
    'sends many requests ahead through a real HAProxy',
    program('attacks', 'ingress', 'verify-ingress.js'),
  ],
  kubernetes: ['applies the manifests to a real kube-apiserver', kubernetesCommand],
  mutants: [
    'changes the code in small ways and counts the changes that unit tests detect',
    program('support', 'mutants', 'main.js'),
  ],
  openapi: [
    'tests the OpenAPI document with public tools',
    check(OPENAPI_HELP, ['operations', 'openapi-client', 'verify-openapi.js']),
  ],
  package: [
    'starts the packed station in empty folders, with several versions of Node',
    packageCommand,
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
    (command) => testCommand(command, {}, BROKEN_VARIANTS),
  ],
};

/** `npm run bench`. */
export const benchCommand = (command: Command) => choose(command, benchmarks, 'sponsoring');

/** `npm run soak`. */
export const soakCommand = (command: Command) => choose(command, soaks, 'chaos');

/** `npm run verify`. */
export const verifyCommand = (command: Command) => choose(command, verifications);

/**
 * Has a command run the program that its first argument names. `usual`: the program for options without a name.
 */
function choose(command: Command, programs: Programs, usual?: string): Command {
  const [first] = process.argv.slice(3);
  for (const [name, [about, define]] of Object.entries(programs)) {
    define(
      command.command(name, { isDefault: name === usual && first?.startsWith('-') === true }),
    ).description(about);
  }
  if (first === undefined) command.action(() => command.outputHelp());
  return command.helpCommand(false).usage('<program> [options]');
}
