import { describe, expect, it } from '@jest/globals';
import { chooseSeed } from '@forecourt/testing/seed';
import { attackers } from './soak/attackers/index.js';
import { p99Ratio } from './soak/find-attack-violations.js';
import { runAttackSoak } from './soak/run-attack-soak.js';
import { attackFromHere } from './soak/start-attackers.js';

const QUIET_MS = 5_000;
const ATTACK_MS = 20_000;

/**
 * All but one: generating thousands of inputs blocks this process, which also runs the honest clients, for
 * seconds.
 */
const chosen = attackers.filter(({ name }) => name !== 'list-made-up-inputs');

describe('attackers of every kind at once', () => {
  it('neither harm honest clients nor spend more than is counted', async () => {
    const seed = chooseSeed();
    const say = (text: string) => void process.stderr.write(`attacks: ${text}\n`);
    say(`FORECOURT_SEED=${seed}`);
    const report = await runAttackSoak({
      seed,
      say,
      users: 4,
      poolCoins: 160,
      rounds: 1,
      quietMs: QUIET_MS,
      attackMs: ATTACK_MS,
      startAttack: (target) => attackFromHere(target, chosen),
    });
    const { quiet, attacked, attacks } = report;
    const ratio = p99Ratio(quiet, attacked, 'sponsoring');
    const { p99Ms } = attacked.sponsoring;
    say(`honest p99 ${quiet.sponsoring.p99Ms} → ${p99Ms} ms, ratio ${ratio.toFixed(2)}`);
    const { reasons } = attacked.sponsoring;
    say(`honest clients failed because: ${JSON.stringify(reasons)}`);
    expect({ seed, violations: report.violations }).toEqual({ seed, violations: [] });
    // Every attacker received an answer: none was stopped by a defect in its own code.
    expect(attacks.map(({ attacker }) => attacker)).toEqual(chosen.map(({ name }) => name));
    const idle = attacks.filter(({ answers }) => Object.keys(answers.counts).length === 0);
    expect(idle).toEqual([]);
  });
});
