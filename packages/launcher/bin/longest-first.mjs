import Sequencer from '@jest/test-sequencer';

/** The slowest tests of whole systems, slowest first: started last, one of them would run alone at the end. */
const LONGEST = [
  'graceful-close',
  'observed-system',
  'chaos/chaos',
  'attacks/ledger-events',
  'sponsors',
  'rolling-restart',
  'tokens',
  'forgetful-redis',
  'sponsoring',
  'fuzz/fuzz',
  'ledger-events',
  'small-pool',
  'pool',
  'attacks/attackers-beside-honest-clients',
  'crashes',
  'real-nodes/events',
  'retries',
  'redis-cluster',
  'access-rules',
  'fuzz/transactions',
  'operator-actions',
  'events-continuity',
  'fleet',
  'redis-private-ca',
  'redis-sentinel',
  'overload',
  'inspection',
  'attacks/smashing-coins',
  'chaos/package-client',
].map((name) => `/test-e2e/src/${name}.test.ts`);

/** Jest's own order after the slowest tests, which jest does not know until it has run them. */
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
