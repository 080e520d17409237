import { prepareCoinStore } from '@forecourt/coin-store';
import { Redis } from 'ioredis';
import { coinPoolVariables } from '@forecourt/coin-pool/config';
import { demandsOf, TARGET_BALANCE } from './demands.js';
import { simulatePool } from './simulate-pool.js';
import { transactionsUntilHalved } from './simulation.js';
import { describeShape } from './describe-shape.js';

const SEED = 7;
/** A multiple of the number of transactions between two rounds of upkeep. */
const REPORT_EVERY = 96_000;

/**
 * `bench-shape <redis url> <transactions>`: prints the change of a pool of the usual size, as rows
 * in JSON.
 */
const [url, count] = process.argv.slice(2);
const transactions = Number(count);
const targetCoins = coinPoolVariables.targetCoins.absent!;
const minCoins = coinPoolVariables.minCoins.absent!;
const halvedAfter = transactionsUntilHalved(targetCoins, TARGET_BALANCE, demandsOf({ seed: SEED }));

const redis = prepareCoinStore(new Redis(url!));
try {
  const pool = await simulatePool(redis, {
    transactions,
    seed: SEED,
    targetCoins,
    minCoins,
    mark: halvedAfter,
    onProgress(done) {
      if (done % REPORT_EVERY === 0) process.stderr.write(`${done.toLocaleString('en-US')} …\n`);
    },
  });
  const lost = targetCoins / 2;
  process.stdout.write(JSON.stringify(describeShape(pool, { after: halvedAfter, lost })));
} finally {
  redis.disconnect();
}
