import type { Landed } from '../../chaos/find-violations.js';
import { phases, type Step } from './upgrade-steps.js';

/** The requirements for an upgrade, a rollback and another upgrade. */
export const requirements = {
  answered: 'no request fails except with a 503 that says when to repeat it',
  replaced: 'every replica ends without SIGKILL and is replaced by the other version',
  served: 'transactions are executed while each replica is replaced',
  executedOnce: 'each transaction is executed once, and its caller knows its outcome',
  gas: 'gas adds up',
  free: 'no coin stays bound',
  recorded: 'history has each transaction once, with its outcome and gas',
  audit: 'the audit is exact',
} as const;
export type Requirement = keyof typeof requirements;

export interface UpgradeViolation {
  readonly requirement: Requirement;
  /** A sentence. */
  readonly detail: string;
}

/** The data by which an upgrade is judged. */
export interface UpgradeObservation {
  readonly steps: readonly Step[];
  /** Hashes of the commits of both versions. */
  readonly versions: Readonly<Record<'old' | 'new', string>>;
  readonly failures: readonly string[];
  /** Digests whose effects were answered. */
  readonly answered: readonly string[];
  readonly landed: ReadonlyMap<string, Landed>;
  /**
   * Net gas of every transaction that the sponsor paid for, according to the ledger and to the pool's totals.
   */
  readonly gas: { readonly ledger: bigint; readonly pool: bigint };
  /** `executing 3`; empty: none. */
  readonly bound: string;
  /** Differences between history and the ledger. */
  readonly history: readonly string[];
  readonly audit: { readonly exact: boolean; readonly text: string };
}

/** Every violated requirement, with the evidence. */
export function findUpgradeViolations(seen: UpgradeObservation): UpgradeViolation[] {
  const violations: UpgradeViolation[] = [];
  const report = (requirement: Requirement, detail: string) =>
    violations.push({ requirement, detail });
  for (const failure of seen.failures) report('answered', failure);
  for (const step of seen.steps) {
    const what = `${step.phase}, ${step.replica}`;
    if (step.exitCode !== 0) report('replaced', `${what}: ended with ${step.exitCode}`);
    const { to } = phases.find(({ name }) => name === step.phase)!;
    const isOther = step.version === null || seen.versions[to].startsWith(commitOf(step.version));
    if (!isOther) report('replaced', `${what}: reports version ${step.version}`);
    if (step.transactions === 0) report('served', what);
  }
  for (const digest of new Set(seen.answered)) {
    if (!seen.landed.has(digest)) {
      report(
        'executedOnce',
        `${digest} was answered with effects, but the ledger has no such transaction`,
      );
    }
  }
  for (const { digest, times } of seen.landed.values()) {
    if (times !== 1) report('executedOnce', `${digest} was executed ${times} times`);
  }
  if (new Set(seen.answered).size !== seen.answered.length) {
    report('executedOnce', 'two reservations were answered with the same transaction');
  }
  const { ledger, pool } = seen.gas;
  if (ledger !== pool) report('gas', `the ledger charged ${ledger}, the pool ${pool}`);
  if (seen.bound !== '') report('free', seen.bound);
  for (const difference of seen.history) report('recorded', difference);
  if (!seen.audit.exact) report('audit', seen.audit.text);
  return violations;
}

/** The commit's digits in a version such as `1.0.0-0123456789ab`. */
function commitOf(version: string): string {
  return version.slice(version.lastIndexOf('-') + 1);
}
