import Sequencer from '@jest/test-sequencer';

/** The slowest tests of whole systems, slowest first: started last, one of them would run alone at the end. */
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
