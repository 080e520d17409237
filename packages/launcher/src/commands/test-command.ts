import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, say } from '../workspace/command.js';
import { prepare } from '../workspace/prepare.js';
import { runProgram } from '../workspace/run-program.js';
import { ensureChromium, findChromium } from '../workspace/system-programs.js';
import { chooseNode, environment, ROOT, toolEnvironment } from '../workspace/workspace-config.js';

/**
 * These tests break the code on purpose, and take as long as all others together: `npm run verify --
 * variants` runs them.
 */
export const VARIANTS = 'chaos/broken-variants';
/** These tests read what Helm has rendered: `npm run verify -- chart` runs them. */
export const RENDERED = 'deployment/chart/';

/** More test files side by side than there are processors: most of a test is waiting. */
const SIDE_BY_SIDE = ['--maxWorkers=6', '--passWithNoTests'];
const UNIT = ['--selectProjects', 'unit', ...SIDE_BY_SIDE];
const END_TO_END = ['--selectProjects', 'e2e', ...SIDE_BY_SIDE];
/** These tests need a Chromium. */
const IN_BROWSER = 'src/console/console(?!-build)';
/** Tests of the long run: whole systems under faults and attacks, and files that say so by their name. */
const LONG = [
  'test-e2e/src/(attacks|chaos|console|deployment|operations)/',
  '\\.long\\.test\\.ts$',
];
/** The time limit of a test: it only ends what hangs, also on a slow or busy machine. */
const TIME_LIMIT = '--testTimeout=300000';
/** Ends the run although a failed test has left something running. */
const END = '--forceExit';
/** The contract of events, and attacks on it. */
const OF_EVENTS = ['--testPathPatterns', 'src/(events/|attacks/events)'];

const HELP = `npm test [-- --repeat <n>] [-- <option of jest>]... [-- <part of a file's path>]...
npm run test:all [the same]

Runs the unit tests, then the end-to-end tests, and prints one line with the counts at the end.
npm test leaves out slow tests: attacks, chaos, console, deployment, operations, and files named *.long.test.ts.
npm run test:all runs them too, and both run every file that is named.
--selectProjects unit|e2e runs one kind alone. --repeat runs everything n times in a row and ends with 1
if any of the runs failed. --ledger grpc runs the end-to-end tests alone, with services that use the ledger over gRPC;
--events index runs those of events and of attacks on them alone, with an index of events.
The tests of the console run where Chromium is on the PATH or named by CHROMIUM; with CI it is installed if it is missing.`;

interface Counts {
  passed: number;
  failed: number;
  /** Whether every run of jest ended with 0. */
  clean: boolean;
}

/** `npm test`: all other arguments are passed to jest. */
export async function testCommand(all: string[]): Promise<number> {
  const { repeat, help, args, ...systems } = readArguments(all);
  if (help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  await prepare({ redis: true });
  const total: Counts = { passed: 0, failed: 0, clean: true };
  for (let turn = 1; turn <= repeat; turn++) {
    const result = await runAll(args, systems);
    if (repeat > 1) {
      say(`run ${turn} of ${repeat}: ${result.passed} passed, ${result.failed} failed`);
    }
    add(total, result);
  }
  if (total.passed + total.failed === 0) process.stderr.write('no test ran\n');
  process.stderr.write('\n');
  await new Promise((resolve) =>
    process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`, resolve),
  );
  return total.clean && total.failed === 0 && total.passed > 0 ? 0 : 1;
}

/** How the services of tested systems use the ledger. */
interface TestedSystems {
  readonly all: boolean;
  readonly ledger: 'json-rpc' | 'grpc';
  readonly events: 'nodes' | 'index';
}

async function runAll(args: readonly string[], tested: TestedSystems): Promise<Counts> {
  const { ledger, events } = tested;
  const chromium = environment['CI'] ? await installChromium() : findChromium();
  if (!chromium) say('Chromium is not installed: the tests of the console in a browser do not run');
  const ignored = [...chooseIgnored(args, tested), ...(chromium ? [] : [IN_BROWSER])];
  rmSync(join(ROOT, '.data', 'test-logs'), { recursive: true, force: true });
  const total: Counts = { passed: 0, failed: 0, clean: true };
  const env = {
    ...(chromium && { CHROMIUM: chromium }),
    FORECOURT_TEST_LEDGER: ledger,
    FORECOURT_TEST_EVENTS: events,
  };
  const flags = ignored.map((pattern) => `--testPathIgnorePatterns=${pattern}`);
  for (const run of chooseRuns(args, tested)) {
    add(total, await runJest([...run, ...flags, ...args], env));
  }
  return total;
}

/** Patterns of the files that do not run; of those that the arguments name, all do. */
function chooseIgnored(args: readonly string[], { all, ledger, events }: TestedSystems) {
  const isNamed = (arg: string, index: number) =>
    arg.startsWith('--testPathPattern') || (index === 0 && !arg.startsWith('-'));
  const special = [VARIANTS, RENDERED].filter((path) => !args.some((arg) => arg.includes(path)));
  const isWhole = all || ledger === 'grpc' || events === 'index' || args.some(isNamed);
  return isWhole ? special : [...special, ...LONG];
}

function chooseRuns(
  args: readonly string[],
  { ledger, events }: TestedSystems,
): readonly (readonly string[])[] {
  if (args.includes('--selectProjects')) return [args.includes('--runInBand') ? [] : SIDE_BY_SIDE];
  if (events === 'index') return [[...END_TO_END, ...OF_EVENTS]];
  // Unit tests use each dialect in any case.
  return ledger === 'grpc' ? [END_TO_END] : [UNIT, END_TO_END];
}

/** A machine that cannot install Chromium still runs all other tests. */
async function installChromium(): Promise<string | undefined> {
  try {
    return await ensureChromium();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    say(error.message);
    return undefined;
  }
}

function add(total: Counts, { passed, failed, clean }: Counts): void {
  total.passed += passed;
  total.failed += failed;
  total.clean &&= clean;
}

function readArguments(line: readonly string[]) {
  const [repeatText = '1', others] = takeOption('--repeat', line);
  const repeat = Number(repeatText);
  if (!Number.isInteger(repeat) || repeat < 1) {
    throw new Failure(`--repeat must be a number of runs\n\n${HELP}`);
  }
  const [ledger = 'json-rpc', rest] = takeOption('--ledger', others);
  if (ledger !== 'json-rpc' && ledger !== 'grpc') {
    throw new Failure(`--ledger must be json-rpc or grpc\n\n${HELP}`);
  }
  const [events = 'nodes', given] = takeOption('--events', rest);
  if (events !== 'nodes' && events !== 'index') {
    throw new Failure(`--events must be nodes or index\n\n${HELP}`);
  }
  const help = line.includes('--help') || line.includes('-h');
  const args = given.filter((arg) => arg !== '--all');
  return { all: args.length < given.length, repeat, ledger, events, help, args } as const;
}

/** The option's value, and the other arguments. */
function takeOption(
  name: string,
  all: readonly string[],
): [value: string | undefined, others: readonly string[]] {
  const index = all.indexOf(name);
  return index < 0 ? [undefined, all] : [all[index + 1] ?? '', all.toSpliced(index, 2)];
}

/**
 * Tests of whole systems start the same programs hundreds of times: compiled code is kept for the next start.
 */
const SETTINGS = {
  NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
  NODE_COMPILE_CACHE: join(ROOT, '.data', 'compiled'),
};

/** Runs jest; the numbers are those of its result file. A file that cannot run counts as a failure. */
async function runJest(args: readonly string[], variables: NodeJS.ProcessEnv): Promise<Counts> {
  const file = join(ROOT, '.data', `test-result-${process.pid}.json`);
  mkdirSync(join(ROOT, '.data'), { recursive: true });
  rmSync(file, { force: true });
  say(`jest ${args.join(' ')}`);
  const jest = [
    '--experimental-vm-modules',
    '--no-warnings',
    join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
  ];
  const { code, interrupted } = await runProgram(
    chooseNode(),
    [...jest, TIME_LIMIT, ...args, END, '--json', `--outputFile=${file}`],
    { cwd: ROOT, env: { ...toolEnvironment(), ...SETTINGS, ...variables } },
  );
  if (interrupted) process.exit(code);
  try {
    const result = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
    const failed = result['numFailedTests']! + result['numRuntimeErrorTestSuites']!;
    return { passed: result['numPassedTests']!, failed, clean: code === 0 };
  } catch {
    process.stderr.write(`jest ended with ${code} and left no result\n`);
    return { passed: 0, failed: 1, clean: false };
  } finally {
    rmSync(file, { force: true });
  }
}
