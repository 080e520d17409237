import { existsSync } from 'node:fs';
import { redactUrls } from '@forecourt/contracts';
import { readAccessFiles } from '@forecourt/policy/tokens';
import { Command, Option } from 'commander';
import { Failure } from '../workspace/failure.js';
import { loadConfigFile } from '../workspace/load-config-file.js';
import { prepare } from '../workspace/prepare.js';
import { runProgram } from '../workspace/run-program.js';
import { chooseNode, COMMAND, environment, pageFrom } from '../workspace/workspace-config.js';
import { listVariableNames } from './service-variables.js';
import { type ServiceName, serviceProgram, SERVICES } from './serve-command.js';

interface CheckOptions {
  readonly config?: string;
  readonly service: ServiceName;
}

/** `check`: 0 for a configuration that can be used, 1 with all mistakes of another. */
export function checkCommand(): Command {
  return new Command('check')
    .option('--config <file>', 'lines NAME=value; variables of the environment come first')
    .addOption(new Option('--service <name>', 'as which service').choices(SERVICES).default('all'))
    .addHelpText(
      'after',
      `
Reads the configuration as services do, with the files of tokens and access rules, and names every mistake. Starts nothing.`,
    )
    .action(check);
}

async function check({ config, service }: CheckOptions): Promise<void> {
  const program = serviceProgram(service);
  const names = config === undefined ? [] : loadConfigFile(config);
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
  const page = pageFrom('.', 'configuration.md');
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
