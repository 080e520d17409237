import Sequencer from '@jest/test-sequencer';

/** Files of whole systems that take longest, longest first: begun last, one of them would be waited for alone. */
const LONGEST = [
  'observed-system',
  'chaos/chaos',
  'rolling-restart',
  'graceful-close',
  'sponsors',
  'crashes',
  'pool',
  'attacks/ledger-events',
  'sponsoring',
  'ledger-events',
  'access-rules',
  'real-nodes/sponsoring',
  'attacks/attackers-beside-honest-clients',
  'fuzz/fuzz',
  'attacks/smashing-coins',
  'deployment/production-system',
  'fleet',
  'retries',
  'events-continuity',
  'forgetful-redis',
  'chaos/package-client',
  'fuzz/transactions',
].map((name) => `/test-e2e/src/${name}.test.ts`);

/** Jest's order, but what is known to take long comes first even where jest has not yet seen it run. */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const usual = await super.sort(tests);
    const rank = ({ path }) => {
      const known = LONGEST.findIndex((end) => path.replaceAll('\\', '/').endsWith(end));
      return known < 0 ? LONGEST.length : known;
    };
    return usual.toSorted((a, b) => rank(a) - rank(b));
  }
}
