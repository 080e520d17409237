import Module from '@jest/test-sequencer';

// The types describe the CommonJS build of this package; Node loads the other one, whose default export is the class.
const Sequencer = Module as unknown as typeof Module.default;
type Test = Parameters<InstanceType<typeof Sequencer>['sort']>[0] extends (infer T)[] ? T : never;

/** The slowest test files of each kind, slowest first: started last, one of them would run alone at the end. */
const LONGEST = [
  'apps/coin-pool/src/upkeep/pool-leader',
  'apps/gateway/src/sponsoring/outcomes',
  'apps/coin-pool/src/upkeep/pool-comparison',
  'packages/coin-store/src/pool/invariant',
  'apps/gateway/src/access/access-files-watcher',
  'apps/executor/src/executions/executions.service',
  'packages/runtime/src/signers/key-file-watcher',
  'apps/events/src/upstreams/iota/no-silent-loss',
  'test-e2e/src/graceful-close',
  'test-e2e/src/observed-system',
  'test-e2e/src/chaos/chaos',
  'test-e2e/src/attacks/ledger-events',
  'test-e2e/src/sponsors',
  'test-e2e/src/rolling-restart',
  'test-e2e/src/tokens',
  'test-e2e/src/forgetful-redis',
  'test-e2e/src/sponsoring',
  'test-e2e/src/fuzz/fuzz',
  'test-e2e/src/ledger-events',
  'test-e2e/src/small-pool',
  'test-e2e/src/pool',
  'test-e2e/src/attacks/attackers-beside-honest-clients',
  'test-e2e/src/crashes',
  'test-e2e/src/real-nodes/events',
  'test-e2e/src/retries',
  'test-e2e/src/redis-cluster',
  'test-e2e/src/access-rules',
  'test-e2e/src/fuzz/transactions',
  'test-e2e/src/operator-actions',
  'test-e2e/src/events-continuity',
  'test-e2e/src/fleet',
  'test-e2e/src/redis-private-ca',
  'test-e2e/src/redis-sentinel',
  'test-e2e/src/overload',
  'test-e2e/src/inspection',
  'test-e2e/src/attacks/smashing-coins',
  'test-e2e/src/chaos/package-client',
].map((name) => `/${name}.test.ts`);

/** Jest's own order after the slowest tests, which jest does not know until it has run them. */
export default class LongestFirst extends Sequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const usual = await super.sort(tests);
    const rank = ({ path }: Test) => {
      const known = LONGEST.findIndex((end) => path.replaceAll('\\', '/').endsWith(end));
      return known < 0 ? LONGEST.length : known;
    };
    return usual.toSorted((a, b) => rank(a) - rank(b));
  }
}
