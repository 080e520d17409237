import { describe, expect, it, jest } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { Answers } from '../soak/answers.js';
import { settlePool } from '../soak/settle-pool.js';
import { startAttackedSystem } from '../soak/start-attacked-system.js';
import { newestTransaction, readSponsorCosts } from '../../support/sponsor-costs.js';
import { readCounted, readSponsorWealth, sumOfCounted } from '../../support/sponsor-wealth.js';
import { readFuzzConfig } from './fuzz-config.js';
import { LedgerWorld } from './ledger-world.js';
import { playRounds } from './play-rounds.js';
import { RoundHistory } from './round-history.js';
import { RESERVATION_SECS, type RoundParts } from './sponsoring-round.js';

const { seed, scale } = readFuzzConfig();
const CALLER = 'fuzz';
const COINS = 120;
const PLAY_MS = 10_000;
/** The latest time after a reservation's deadline at which the sweep ends it. */
const SWEEP_MS = 15_000;
/** A run with fewer executed transactions is not conclusive. */
const LEAST_EXECUTED = 10;

const answers = new Answers();
jest.setTimeout(300_000 * (1 + scale));

const attacked = useStarted(
  () => {
    process.stderr.write(`fuzz: FORECOURT_SEED=${seed} FORECOURT_FUZZ_SCALE=${scale}\n`);
    return startAttackedSystem({
      // Enough that many large reservations are granted, because the test is about their cost.
      callers: [{ name: CALLER, tokenLines: [`reserve: { coins: ${COINS}, budget: 100 IOTA }`] }],
      poolCoins: COINS,
    });
  },
  (started) => started.stop(),
);
const redis = useStarted(
  () => Promise.resolve(new Redis(attacked.system.redisUrl)),
  (opened) => opened.disconnect(),
);

describe('adversarial transactions', () => {
  it('get answers that follow the contract, lock no coin and cost no more than is counted', async () => {
    const { system, tokens } = attacked;
    const { ledger, sponsor, control } = system;
    const world = await LedgerWorld.open(ledger, control, sponsor, seed);
    const application = { url: system.application.url, token: tokens[CALLER]! };
    const history = new RoundHistory();
    const parts: RoundParts = { application, world, answers, history };
    const before = await readSponsorWealth(ledger, sponsor);
    const newest = await newestTransaction(ledger);

    const endsAt = performance.now() + PLAY_MS * scale;
    const areEnough = () =>
      performance.now() > endsAt && (answers.counted().counts['execute 200'] ?? 0) > LEAST_EXECUTED;
    const violations = await playRounds(parts, seed, areEnough);

    const overAt = Date.now() + RESERVATION_SECS * 1_000 + SWEEP_MS;
    // The end of the epoch frees them, so the test reads them before.
    const quarantined = await redis.zrange(`fc:{${sponsor}}:quarantined`, '0', '3');
    const settled = await settlePool(attacked, overAt);
    violations.push(...settled);
    if (settled.length > 0) violations.push(...quarantined.map((one) => history.explain(one)));
    const decrease = before - (await readSponsorWealth(ledger, sponsor));
    const counted = sumOfCounted(await readCounted(redis, [sponsor], [CALLER]));
    const costs = await readSponsorCosts(ledger, [sponsor], newest);
    const { counts, examples } = answers.counted();
    process.stderr.write(
      `fuzz: ${JSON.stringify(counts)}\n` +
        `fuzz: the sponsor is worth ${decrease} less, ${counted} was counted; ` +
        `${costs.userTransactions} transactions of users cost ${costs.users}, ` +
        `${costs.maintenanceTransactions} of the pool's own ${costs.maintenance}\n`,
    );
    if (decrease > counted) {
      violations.push(`the sponsor is worth ${decrease} less, but ${counted} was counted`);
    }
    const audit = await system.audit();
    if (audit.exitCode !== 0) violations.push(`the audit differs: ${audit.output}`);
    expect({ seed, examples, violations }).toMatchObject({ violations: [] });
    expect(counts['execute 200']).toBeGreaterThan(LEAST_EXECUTED);
  });
});
