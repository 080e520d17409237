import { readNumberOption, readProgramOptions } from '@forecourt/testing/options';
import { chooseSeed } from '@forecourt/testing/seed';
import { choose } from './attackers/index.js';
import { attackReport, findSlowness } from './attack-report.js';
import { findMemoryGrowth } from './find-memory-growth.js';
import { runAttackSoak } from './run-attack-soak.js';
import { attackFromProcess } from './start-attackers.js';

/** Approximate length of each attack, which follows a quiet phase. */
const ROUND_SECS = 600;
/** A quiet phase lasts a fifth of the attack that follows, and at least this long. */
const LEAST_QUIET_SECS = 15;
const QUIET_SHARE = 0.2;
const HELP = `npm run soak -- attacks [--minutes <n> | --seconds <n>] [--users <n>] [--coins <n>] [--seed <n>]
                         [--slowness <n>] [--only <attacker>,<attacker>…]

Runs a whole system with honest clients, alternately without and with attackers, in rounds of ten minutes.
Honest clients must succeed in more than 99 % of their requests, with a p99 below twice the quiet one; the
sponsor's balance must fall by no more than was counted; no service may take more than 1.5 times its quiet
memory. Ends with 1 if a requirement is violated.

  --minutes, --seconds  duration of the attack (10 minutes)
  --users               number of honest users (6)
  --coins               size of the pool (300)
  --seed                decides the actions of honest users
  --slowness            factor by which attackers are slower (1)
  --only                the attackers to run (all)

All connections stay on loopback.`;

const values = readProgramOptions(HELP, {
  minutes: { type: 'string' },
  seconds: { type: 'string' },
  users: { type: 'string', default: '6' },
  coins: { type: 'string', default: '300' },
  seed: { type: 'string' },
  slowness: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
});

const seconds =
  values.seconds === undefined
    ? 60 * readNumberOption('minutes', values.minutes ?? '10')
    : readNumberOption('seconds', values.seconds);
const users = readNumberOption('users', values.users);
const poolCoins = readNumberOption('coins', values.coins);
const seed = values.seed === undefined ? chooseSeed() : readNumberOption('seed', values.seed);
const slowness = readNumberOption('slowness', values.slowness);
const only = values.only.split(',').filter((name) => name !== '');
choose(only);
const rounds = Math.max(1, Math.round(seconds / ROUND_SECS));
const attackSecs = seconds / rounds;
const quietSecs = Math.max(LEAST_QUIET_SECS, Math.round(attackSecs * QUIET_SHARE));
const command = `npm run soak -- attacks --seconds ${seconds} --users ${users} --coins ${poolCoins} --seed ${seed}${slowness > 1 ? ` --slowness ${slowness}` : ''}${only.length > 0 ? ` --only ${only.join()}` : ''}`;
process.stderr.write(`${command}\n`);
const report = await runAttackSoak({
  seed,
  users,
  poolCoins,
  slowness,
  rounds,
  quietMs: quietSecs * 1_000,
  attackMs: Math.round(attackSecs * 1_000),
  startAttack: (target) => attackFromProcess(target, only),
  say: (text) => void process.stderr.write(`${text}\n`),
});
const violations = [...report.violations, ...findSlowness(report), ...findMemoryGrowth(report)];
process.stdout.write(attackReport(report, violations, command));
process.exitCode = violations.length === 0 ? 0 : 1;
