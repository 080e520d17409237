import { type Command, readOptions } from '../workspace/command.js';
import { prepare, runBuilt, runOfTests } from '../workspace/prepare.js';
import { ensureChromium } from '../workspace/system-programs.js';

const CLIENT_PACKAGE_HELP = `npm run verify:client-package

Packs @forecourt/client, installs it in an empty folder outside of the repository, checks the package with public tools, and
compiles and runs the examples of its README with exactly what the README says to install: in the oldest Node that is
supported, and in Chromium, against the system that npm start starts. Needs the registry of npm. Installs Chromium on Debian as
root; elsewhere it must be there, on the PATH or as CHROMIUM.`;

const DEVNET_HELP = `npm run verify:devnet

Replays the recorded answers of a real node against devnet, and lists the differences.`;

const EXAMPLE_HELP = `npm run verify:example [-- --screenshots]

Starts a whole system and the example of docs/examples, and uses the page in Chromium: a visitor who owns nothing has
transactions sponsored, sees their events, and is refused beyond the limit. Compares what the page shows with the ledger.
Installs Chromium on Debian as root; elsewhere it must be there, on the PATH or as CHROMIUM.

  --screenshots     replaces the pictures of docs/examples`;

const CONSOLE_TYPES_HELP = `npm run console:types

Writes the types with which the console calls the gateway, from the gateway's OpenAPI document.`;

const SCREENSHOTS_HELP = `npm run console:screenshots

Starts a whole system with transactions, failures, refusals and a quarantine, and takes the pictures of docs/console.
Installs Chromium on Debian as root; elsewhere it must be there, on the PATH or as CHROMIUM.`;

const OPENAPI_HELP = `npm run verify:openapi

Checks openapi.json with public tools, and has a client that is generated from it sponsor a transaction.`;

/** Programs of packages/benchmark, which read their options themselves. */
const benchmark =
  (name: string, redis: boolean): Command =>
  async (args) => {
    await prepare({ redis });
    const { code } = await runBuilt(['packages', 'benchmark', 'dist', `bench-${name}.js`], args);
    return code;
  };

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

/** Chaos, unless the first argument names another kind. */
const soak: Command = ([kind, ...args]) => {
  if (kind === 'attacks') return runOfTests(['attacks', 'soak', 'soak.js'], args);
  if (kind === 'recovery') return runOfTests(['chaos', 'recovery', 'soak.js'], args);
  if (kind === 'outage') return runOfTests(['history', 'outage', 'soak.js'], args);
  return runOfTests(['chaos', 'soak.js'], kind === undefined ? [] : [kind, ...args]);
};

async function verifyClientPackage(args: string[]): Promise<number> {
  if (readOptions(CLIENT_PACKAGE_HELP, {}, args) === null) return 0;
  return runOfTests(
    ['deployment', 'client-package', 'verify-client-package.js'],
    [await ensureChromium()],
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

/** Commands that measure or verify a built system, by the name of their npm script. */
export const measurements: Readonly<Record<string, Command>> = {
  bench: benchmark('sponsoring', true),
  'bench:access': benchmark('access', false),
  'bench:events': benchmark('events', false),
  'bench:history': benchmark('history', true),
  'bench:index': benchmark('index', false),
  'bench:path': benchmark('path', true),
  'bench:shape': benchmark('shape', true),
  'bench:webhooks': benchmark('webhooks', false),
  'console:screenshots': takeScreenshots,
  'console:types': check(CONSOLE_TYPES_HELP, 'console', 'write-types.js'),
  mutants: program('support', 'mutants', 'main.js'),
  soak,
  'verify:client-package': verifyClientPackage,
  'verify:clients': program('sponsoring', 'public-clients', 'verify-clients.js'),
  'verify:devnet': check(DEVNET_HELP, 'support', 'recorded-node', 'verify-devnet.js'),
  'verify:example': verifyExample,
  'verify:grpc': program('sponsoring', 'grpc-clients', 'verify-grpc.js'),
  'verify:idle': benchmark('idle', true),
  'verify:openapi': check(OPENAPI_HELP, 'operations', 'openapi-client', 'verify-openapi.js'),
  'verify:signers': program('sponsoring', 'real-signers', 'verify-signers.js'),
  'verify:upgrade': program('deployment', 'upgrade', 'verify-upgrade.js'),
};
