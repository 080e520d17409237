import { existsSync } from 'node:fs';
import { redactUrls } from '@forecourt/contracts';
import { readAccessFiles } from '@forecourt/policy/tokens';
import { Failure, readOptions } from '../workspace/command.js';
import { loadConfigFile } from '../workspace/load-config-file.js';
import { prepare } from '../workspace/prepare.js';
import { runProgram } from '../workspace/run-program.js';
import {
  CALLER_FOLDER,
  chooseNode,
  COMMAND,
  environment,
  pageFrom,
} from '../workspace/workspace-config.js';
import { listVariableNames } from '../commands/service-variables.js';
import { serviceProgram } from '../commands/serve-command.js';

const HELP = `forecourt check [--config <file>] [--service <name>]

Reads the configuration as services do, with the files of tokens and access rules, and names every mistake. Starts nothing.

  --config   a file with lines NAME=value; variables of the environment come first
  --service  gateway, coin-pool, executor, events, history, devnet or all (default)`;

/** `forecourt check`: 0 for a configuration that can be used, 1 with all mistakes of another. */
export async function checkCommand(args: string[]): Promise<number> {
  const options = readOptions(
    HELP,
    { config: { type: 'string' }, service: { type: 'string', default: 'all' } },
    args,
  );
  if (options === null) return 0;
  const program = serviceProgram(options.service, HELP);
  const names = options.config === undefined ? [] : loadConfigFile(options.config);
  if (!existsSync(program)) await prepare();
  const mistakes = [
    await findUnknown(names),
    await findMistakes(program),
    await findMistakeInAccessFiles(),
  ].filter((text) => text !== '');
  if (mistakes.length > 0) throw new Failure(mistakes.join('\n'));
  process.stdout.write('The configuration can be used.\n');
  const [node] = (environment['LEDGER_URL'] ?? '').split(',');
  if (node)
    process.stdout.write(`To examine the node: ${COMMAND} doctor --url ${redactUrls(node)}\n`);
  return 0;
}

/** Variables of `forecourt start` and of the command line. */
const OTHERS = [
  'FAUCET_URL',
  'FORECOURT_URL',
  'FORECOURT_TOKEN',
  'FORECOURT_DATA',
  'FORECOURT_REDIS_PORT',
  'FORECOURT_POSTGRES_PORT',
];

/** Names of the file that mean nothing, such as misspelled ones; empty: there are none. */
async function findUnknown(names: readonly string[]): Promise<string> {
  const known = new Set([...OTHERS, ...(await listVariableNames())]);
  const unknown = names.filter((name) => !known.has(name));
  const page = pageFrom(CALLER_FOLDER, 'configuration.md');
  return unknown.map((name) => `  - ${name} is not a variable: see ${page}`).join('\n');
}

/** Has a service read its variables, and returns its complaints; empty: it accepts them. */
async function findMistakes(program: string): Promise<string> {
  const { code, output } = await runProgram(chooseNode(), [program, '--check'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (code === 0) return '';
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  const { error } = JSON.parse(lines.at(-1) ?? '{}') as { error?: string };
  return error ?? output;
}

/** Reads the files of tokens and rules, and returns the first mistake; empty: there is none. */
async function findMistakeInAccessFiles(): Promise<string> {
  try {
    await readAccessFiles(
      environment['TOKENS_FILE'] || null,
      environment['ACCESS_RULES_FILE'] || null,
    );
    return '';
  } catch (error) {
    return `  - ${(error as Error).message}`;
  }
}
