import { startSystem, type SystemOptions } from '@forecourt/testing/system';
import { chooseDialect } from './dialect-config.js';
import { makeLogFolder } from './make-log-folder.js';
import { connectTestSystem, type TestSystem } from './test-system.js';

/** Real nodes are also behind the validators; a test that needs exact reads sets another lag. */
const USUAL_LAG_MS = '0-500';

/** The options of a system, with the defaults of tests. */
export function testOptions(options: SystemOptions = {}): SystemOptions {
  return {
    faults: true,
    lagMs: USUAL_LAG_MS,
    dialect: chooseDialect(),
    logDir: options.logDir ?? makeLogFolder('system'),
    ...options,
    env: {
      POOL_TARGET_COINS: '60',
      POOL_MIN_COINS: '10',
      POOL_MIN_FREE_SHARE: '0',
      // Most tests have one caller, who uses the whole pool and may cause any number of quarantines.
      RESERVE_MAX_POOL_SHARE: '100',
      QUARANTINE_MAX: '1000',
      ...options.env,
    },
  };
}

/** Starts a system and waits until its pool is filled. */
export async function startTestSystem(options: SystemOptions = {}): Promise<TestSystem> {
  const test = await connectTestSystem(await startSystem(testOptions(options)));
  try {
    await test.untilFilled();
    return test;
  } catch (error) {
    await test.stop();
    throw error;
  }
}
