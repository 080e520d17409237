import Module from '@jest/test-sequencer';

// The types describe the CommonJS build of this package; Node loads the other one, whose default export is the class.
const Sequencer = Module as unknown as typeof Module.default;
type Test = Parameters<InstanceType<typeof Sequencer>['sort']>[0] extends (infer T)[] ? T : never;

/**
 * The slowest test files of each kind, slowest first: started last, one of them would run alone at the end. Files of a group, or
 * of a shared system, begin when the first of them does.
 */
const LONGEST = [
  'apps/cli/src/every-command.long',
  'packages/launcher/src/checks/unknown-options.long',
  'packages/coin-store/src/scripts/failing-scripts.long',
  'packages/launcher/src/checks/lint-rules.long',
  'packages/key-services/src/key-services.long',
  'apps/gateway/src/replicas/service-client',
  'apps/coin-pool/src/upkeep/pool-leader',
  'apps/gateway/src/sponsoring/outcomes',
  'apps/coin-pool/src/upkeep/pool-comparison',
  'packages/coin-store/src/pool/invariant.long',
  'apps/gateway/src/access/access-files-watcher',
  'apps/executor/src/executions/claim-executions.service',
  'packages/runtime/src/signers/key-file-watcher',
  'apps/events/src/upstreams/iota/no-silent-loss',
  'test-e2e/src/sponsoring/foreign-node.long',
  'test-e2e/src/deployment/start/several-ledgers',
  'test-e2e/src/chaos/graceful-close',
  'test-e2e/src/sponsoring/pool.long',
  'test-e2e/src/console/console-pages',
  'test-e2e/src/operations/withdrawals',
  'test-e2e/src/chaos/chaos',
  'test-e2e/src/operations/command-line',
  'test-e2e/src/attacks/events-memory',
  'test-e2e/src/console/console',
  'test-e2e/src/console/console-operations',
  'test-e2e/src/attacks/events-amplification',
  'test-e2e/src/sponsoring/execute-refusals',
  'test-e2e/src/chaos/rolling-restart',
  'test-e2e/src/attacks/hoarding-reservations',
  'test-e2e/src/events/client',
  'test-e2e/src/chaos/forgetful-redis',
  'test-e2e/src/sponsoring/reserve-gas',
  'test-e2e/src/attacks/fuzz/fuzz',
  'test-e2e/src/attacks/attackers-beside-honest-clients',
  'test-e2e/src/chaos/crashes',
  'test-e2e/src/events/real-nodes.long',
  'test-e2e/src/sponsoring/lagging-users.long',
  'test-e2e/src/sponsoring/retries.long',
  'test-e2e/src/chaos/redis-cluster',
  'test-e2e/src/access/spending-limits.long',
  'test-e2e/src/attacks/newcomers',
  'test-e2e/src/attacks/fuzz/transactions',
  'test-e2e/src/events/events-continuity.long',
  'test-e2e/src/operations/coin-pool-replicas',
  'test-e2e/src/chaos/redis-private-ca',
  'test-e2e/src/chaos/redis-sentinel',
  'test-e2e/src/sponsoring/overload.long',
  'test-e2e/src/operations/explain-transaction',
  'test-e2e/src/attacks/smashing-coins',
  'test-e2e/src/chaos/package-client',
  'test-e2e/src/deployment/production-system',
  'test-e2e/src/sponsoring/lagging-node.long',
  'test-e2e/src/deployment/start/external-ledger',
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
