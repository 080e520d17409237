import { readNumberOption, readProgramOptions } from '@forecourt/testing/options';
import { chooseSeed } from '@forecourt/testing/seed';
import { measureRecovery } from './measure-recovery.js';
import { findRecoveryViolations, reportRecovery } from './report-recovery.js';

const HELP = `npm run soak -- recovery [--kills <n>] [--seed <n>]

Kills a replica, all executors or Redis, one after the other, each time during executions. Measures the time
until every caller has its effects and the pool is complete. Ends with 1 if that takes 10 s or more at p99,
a transaction is refused, or the audit is not exact.

  --kills  number of kills, each of which takes about five seconds (300)
  --seed   decides the kills`;

const values = readProgramOptions(HELP, {
  kills: { type: 'string', default: '300' },
  seed: { type: 'string' },
});
const say = (text: string) => void process.stderr.write(`${text}\n`);

const kills = readNumberOption('kills', values.kills);
const seed = values.seed === undefined ? chooseSeed() : readNumberOption('seed', values.seed);
const command = `npm run soak -- recovery --kills ${kills} --seed ${seed}`;
say(command);
const report = await measureRecovery({ seed, kills, say });
process.stdout.write(reportRecovery(report, command));
process.exitCode = findRecoveryViolations(report).length === 0 ? 0 : 1;
