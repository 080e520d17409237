import { readChoiceOption, readNumberOption, readProgramOptions } from '@forecourt/testing/options';
import { chooseSeed } from '@forecourt/testing/seed';
import { dialects } from '../support/dialect-config.js';
import { reportTable, summarize } from './report-table.js';
import { runChaos } from './run-chaos.js';

const KILLS_PER_ROUND = 50;
const HELP = `npm run soak -- chaos [--kills <n>] [--seed <n>] [--minutes <n>] [--clients <n>] [--ledger grpc]

Runs a whole system under load, kills its processes at random and at every named failpoint, and makes its
ledger node fail. Checks after every round that nothing is lost or executed twice. Ends with 1 if an
invariant is violated.

  --kills    intended number of kills (300)
  --seed     makes the plan; the same seed makes the same plan
  --minutes  time after which no new round begins (30)
  --clients  number of concurrent clients (8)
  --ledger   how services use the node: json-rpc (the default) or grpc`;

const values = readProgramOptions(HELP, {
  kills: { type: 'string', default: '300' },
  seed: { type: 'string' },
  minutes: { type: 'string', default: '30' },
  clients: { type: 'string', default: '8' },
  ledger: { type: 'string', default: 'json-rpc' },
});
const say = (text: string) => void process.stderr.write(`${text}\n`);

const seed = values.seed === undefined ? chooseSeed() : readNumberOption('seed', values.seed);
const kills = readNumberOption('kills', values.kills);
const minutes = readNumberOption('minutes', values.minutes);
const clients = readNumberOption('clients', values.clients);
const dialect = readChoiceOption('ledger', dialects, values.ledger);
const command = `npm run soak -- --kills ${kills} --seed ${seed} --minutes ${minutes} --clients ${clients} --ledger ${dialect}`;
say(command);
const report = await runChaos({
  seed,
  kills,
  clients,
  dialect,
  say,
  rounds: Math.ceil(kills / KILLS_PER_ROUND),
  replicas: { gateway: 2, 'coin-pool': 2, executor: 3, history: 2 },
  recoveryBoundMs: 120_000,
  poolCoins: 150,
  endAfterMs: minutes * 60_000,
});
process.stdout.write(reportTable(summarize(report), command));
process.exitCode = report.violations.length === 0 ? 0 : 1;
