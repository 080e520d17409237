import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../workspace/failure.js';
import { prepare } from '../workspace/prepare.js';
import { runProgram } from '../workspace/run-program.js';
import { say } from '../workspace/say.js';
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

interface Counts {
  passed: number;
  failed: number;
  /** Whether every run of jest ended with 0. */
  clean: boolean;
}

/** How the services of tested systems use the ledger, and how often which tests run. */
interface TestOptions {
  readonly all?: boolean;
  readonly repeat: number;
  readonly ledger: 'json-rpc' | 'grpc';
  readonly events: 'nodes' | 'index';
}

/** Everything but slow tests, once. */
export const USUAL: TestOptions = { repeat: 1, ledger: 'json-rpc', events: 'nodes' };

/** `npm test`: all other arguments are passed to jest, before them `first`. */
export function testCommand(
  command: Command,
  fixed: Partial<TestOptions> = {},
  first: readonly string[] = [],
): Command {
  return command
    .usage('[options] [option of jest]... [part of a file’s path]...')
    .argument('[args...]', 'of jest')
    .allowUnknownOption()
    .option('--all', 'slow tests too, as npm run test:all')
    .option('--repeat <n>', 'run everything n times in a row', readRepeat, 1)
    .addOption(
      command
        .createOption('--ledger <dialect>', 'grpc: the end-to-end tests alone, over gRPC')
        .choices(['json-rpc', 'grpc'])
        .default('json-rpc'),
    )
    .addOption(
      command
        .createOption(
          '--events <from>',
          'index: the tests of events and of attacks on them alone, with an index of events',
        )
        .choices(['nodes', 'index'])
        .default('nodes'),
    )
    .addHelpText(
      'after',
      `
Runs the unit tests, then the end-to-end tests, and prints one line with the counts at the end.
npm test leaves out slow tests: attacks, chaos, console, deployment, operations, and files named *.long.test.ts.
npm run test:all runs them too, and both run every file that is named.
--selectProjects unit|e2e runs one kind alone. --repeat ends with 1 if any of the runs failed.
The tests of the console run where Chromium is on the PATH or named by CHROMIUM; with CI it is installed if it is missing.`,
    )
    .action((args: readonly string[], options: TestOptions) =>
      runTests({ ...options, ...fixed }, [...first, ...args]),
    );
}

function readRepeat(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Failure(`--repeat must be a number of runs, not ${text}`);
}

/** Runs tests, and sets the exit code. Throws `Failure`. */
export async function runTests(options: TestOptions, args: readonly string[]): Promise<void> {
  const { repeat } = options;
  await prepare({ redis: true });
  const total: Counts = { passed: 0, failed: 0, clean: true };
  for (let turn = 1; turn <= repeat; turn++) {
    const result = await runAll(args, options);
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
  process.exitCode = total.clean && total.failed === 0 && total.passed > 0 ? 0 : 1;
}

async function runAll(args: readonly string[], tested: TestOptions): Promise<Counts> {
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
function chooseIgnored(args: readonly string[], { all, ledger, events }: TestOptions) {
  const isNamed = (arg: string, index: number) =>
    arg.startsWith('--testPathPattern') || (index === 0 && !arg.startsWith('-'));
  const special = [VARIANTS, RENDERED].filter((path) => !args.some((arg) => arg.includes(path)));
  const isWhole = all || ledger === 'grpc' || events === 'index' || args.some(isNamed);
  return isWhole ? special : [...special, ...LONG];
}

function chooseRuns(
  args: readonly string[],
  { ledger, events }: TestOptions,
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
