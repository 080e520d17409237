import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { stdin, stderr } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { examineNode } from '@forecourt/ledger';
import { writeSecret } from '@forecourt/resilience/files';
import { loadOrCreateSponsorKeys } from '@forecourt/testing/system';
import { parseUrl } from '@forecourt/runtime/config';
import { getNetwork } from '@iota/iota-sdk/client';
import { Command } from 'commander';
import { EXIT } from '../terminal/exit-codes.js';
import { Failure } from '../workspace/failure.js';
import { COMMAND, environment, pageFrom } from '../workspace/workspace-config.js';

const PUBLIC = ['testnet', 'devnet', 'mainnet'] as const;

interface Answers {
  readonly network: string;
  readonly faucet: string;
  readonly key: string;
  readonly redis: string;
  readonly database: string;
}

interface InitOptions extends Partial<Answers> {
  readonly out: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

/** `init`: from nothing to the configuration of a gas station. */
export function initCommand(): Command {
  return new Command('init')
    .option(
      '--network <name|url>',
      'local (the default: forecourt start runs a ledger), testnet, devnet, mainnet, or a node’s URL',
    )
    .option(
      '--faucet <url>',
      'the faucet of that network, from which forecourt start gets the sponsor’s first coins',
    )
    .option(
      '--key <file|url>',
      'the sponsor’s key: a file, which is made if it is missing, or the URL of a key service; default: sponsor.key',
    )
    .option('--redis <url>', 'default: private, a Redis that forecourt start runs')
    .option('--database <url>', 'default: private, a PostgreSQL that forecourt start runs')
    .option('--out <file>', 'the file to write', 'forecourt.env')
    .option('--force', 'replace the file')
    .option('--yes', 'ask nothing')
    .addHelpText(
      'after',
      `
Asks what it needs to know, writes it with comments into a file that every service takes, examines the node, and shows the
sponsor's address and the next command. An option answers a question; --yes answers the others with their defaults.

The bearer token of callers and the secret between the services are generated, unless the environment has GAS_STATION_AUTH and
FLEET_SECRET.`,
    )
    .action(init);
}

async function init({ out, force, yes, ...given }: InitOptions): Promise<void> {
  const file = resolve(out);
  if (existsSync(file) && !force) {
    throw new Failure(`${out} exists. Name another file with --out, or replace it with --force`);
  }
  const answers = await answer(given, !yes && stdin.isTTY);
  const node = nodeOf(answers.network);
  const isService = URL.canParse(answers.key);
  const sponsors = isService ? [] : sponsorsIn(resolve(answers.key));
  const key = isService ? answers.key : relative(dirname(file), resolve(answers.key));
  writeSecret(file, describeConfiguration({ ...answers, key }, node, dirname(file)));
  say(`${out} has the configuration. Keep it and ${answers.key} secret`);
  const isUsable = node === null || (await examine(node, sponsors));
  if (node !== null) sayHowToFund(answers, sponsors);
  const config = relative('.', file);
  say(`\nNext: ${COMMAND} check --config ${config}\nThen: ${COMMAND} start --config ${config}`);
  if (!isUsable) process.exitCode = EXIT.negative;
}

/** The addresses of the keys in a file, which is made if it is missing. Throws `Failure`. */
function sponsorsIn(file: string): readonly string[] {
  try {
    return loadOrCreateSponsorKeys(file).map(({ address }) => address);
  } catch (error) {
    throw new Failure(`${file} has no key that can be used: ${(error as Error).message}`);
  }
}

/**
 * The prices of a simple call and of the sample of forecourt start; the defaults of POOL_TARGET_COINS and
 * POOL_TARGET_BALANCE.
 */
const HOW_MUCH = `A transaction costs about 0.001 IOTA, and 0.003 if it makes an object: 10 000 of them need 10 to 30 IOTA. One IOTA is enough to
begin with; with 50, the pool has its 500 coins of 0.1 IOTA, each for one transaction at a time`;

const say = (text: string) => stderr.write(`${text}\n`);

/** Says what an answer must be instead; null: it can be used. */
type Check = (text: string) => string | null;

/** Asks for what is not given, if somebody can answer. Throws `Failure` for an answer that cannot be used. */
async function answer(given: Partial<Answers>, asks: boolean): Promise<Answers> {
  const questions: readonly [keyof Answers, string, string, Check][] = [
    ['network', `Network (local, ${PUBLIC.join(', ')}, or a node's URL)`, 'local', checkNetwork],
    [
      'faucet',
      'Faucet of that network (a URL, or none)',
      'none',
      checkUrl('none', 'http', 'https'),
    ],
    [
      'key',
      'Sponsor’s key (a file, made if missing, or the URL of a key service)',
      'sponsor.key',
      () => null,
    ],
    ['redis', 'Redis (private, or a URL)', 'private', checkUrl('private', 'redis', 'rediss')],
    [
      'database',
      'PostgreSQL (private, or a URL)',
      'private',
      checkUrl('private', 'postgres', 'postgresql'),
    ],
  ];
  const answers: Record<string, string> = {};
  const terminal = asks ? createInterface({ input: stdin, output: stderr }) : null;
  const ask = async (question: string, usual: string, check: Check): Promise<string> => {
    const value = (await terminal!.question(`${question} [${usual}]: `)).trim() || usual;
    const mistake = check(value);
    if (mistake === null) return value;
    say(`It ${mistake}.`);
    return ask(question, usual, check);
  };
  try {
    for (const [name, question, usual, check] of questions) {
      const needless = name === 'faucet' && nodeOf(answers['network']!) === null;
      const needsAnswer = given[name] === undefined && terminal !== null && !needless;
      const value = needsAnswer ? await ask(question, usual, check) : (given[name] ?? usual);
      const mistake = check(value);
      if (mistake !== null) throw new Failure(`--${name} ${mistake}, not ${value}`);
      answers[name] = value;
    }
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw new Failure('Nothing was written.');
    throw error;
  } finally {
    terminal?.close();
  }
  return answers as unknown as Answers;
}

function checkNetwork(text: string): string | null {
  const isKnown = text === 'local' || (PUBLIC as readonly string[]).includes(text);
  if (isKnown || checkUrl('', 'http', 'https', 'grpc', 'grpcs')(text) === null) return null;
  return `must be local, ${PUBLIC.join(', ')}, or a URL such as https://node.example.com`;
}

/** A check for a word or a URL with one of these protocols. */
function checkUrl(word: string, ...protocols: readonly string[]): Check {
  return (text) => {
    if (text === word) return null;
    try {
      const schemes = protocols.map((one) => `${one}:`);
      parseUrl(text, schemes);
      return null;
    } catch (error) {
      return (error as Error).message.replace('must be', `must be ${word} or`);
    }
  };
}

/** The URL of the network's node; null: `forecourt start` runs the ledger. */
function nodeOf(network: string): string | null {
  if (network === 'local') return null;
  return URL.canParse(network) ? network : `https://api.${network}.iota.cafe`;
}

function describeConfiguration(answers: Answers, node: string | null, folder: string): string {
  const secret = () => randomBytes(32).toString('base64url');
  /** An example in a comment where the answer is that nothing is set. */
  const line = (name: string, value: string | null, example: string) =>
    value === null ? `#${name}=${example}` : `${name}=${value}`;
  const unless = (none: string, value: string) => (value === none ? null : value);
  const isService = URL.canParse(answers.key);
  return `# The configuration of a gas station: lines NAME=value. Every service takes it with --config, and a variable of the
# environment comes first. A name with _FILE names a file with the value, relative to this one.
# All variables: ${pageFrom(folder, 'configuration.md')}

# The ledger's nodes that receive transactions. Without one, forecourt start runs a local ledger.
${line('LEDGER_URL', node, 'https://api.testnet.iota.cafe')}
# Where forecourt start gets the sponsor's first coins from.
${line('FAUCET_URL', unless('none', answers.faucet), 'https://faucet.example.com')}

# The sponsor's key. Who has it can spend the sponsor's coins: keep a copy where only you can read it.
${isService ? `SPONSOR_KEYS=${answers.key}` : `SPONSOR_KEYS_FILE=${answers.key}`}

# The bearer token of your application. For several tokens, with rules and limits, see
# ${pageFrom(folder, 'access-control.md')}
GAS_STATION_AUTH=${environment['GAS_STATION_AUTH'] || secret()}
# Known to the services only.
FLEET_SECRET=${environment['FLEET_SECRET'] || secret()}

# The pool of coins, and the history of sponsorships. Without them, forecourt start runs private servers in .data.
${line('REDIS_URL', unless('private', answers.redis), 'redis://127.0.0.1:6379')}
${line('DATABASE_URL', unless('private', answers.database), 'postgres://user:password@127.0.0.1:5432/forecourt')}

# The pool is filled to this number of coins.
#POOL_TARGET_COINS=500
`;
}

/** Whether the node can do everything that is essential; says what it cannot. */
async function examine(node: string, sponsors: readonly string[]): Promise<boolean> {
  say(`examining ${node} …`);
  let isUsable = true;
  for await (const { verdict, subject, answer: found, consequence } of examineNode(
    { url: node, headers: {} },
    sponsors,
  )) {
    if (verdict === 'fine') continue;
    if (verdict === 'missing') isUsable = false;
    say(`  ${verdict}: ${subject}: ${found}. ${consequence}`);
  }
  say(isUsable ? 'the node has everything that is needed' : 'the node lacks something essential');
  return isUsable;
}

function sayHowToFund({ network, faucet }: Answers, sponsors: readonly string[]): void {
  const named = getNetwork(network) as {
    faucetWebsite?: string;
  };
  for (const sponsor of sponsors) {
    say(`\nThe sponsor is ${sponsor}`);
    if (faucet !== 'none') say('forecourt start gets its first coins from the faucet');
    else if (named.faucetWebsite)
      say(`Get coins for it at ${named.faucetWebsite}/?address=${sponsor}`);
    else say('Send coins to it before forecourt start');
  }
  say(HOW_MUCH);
}
