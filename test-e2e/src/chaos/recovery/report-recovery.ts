import { percentile } from '@forecourt/testing/figures';
import { markdownTable } from '../../support/markdown-table.js';
import { reportHeading } from '../../support/report-heading.js';
import { violationList } from '../../support/violation-list.js';
import type { RecoveryReport } from './measure-recovery.js';
import type { Recovery } from './recover-once.js';

/** After 99 of 100 kills, the pool must be complete again within this time. */
const P99_MS = 10_000;

/** The violated requirements. */
export function findRecoveryViolations({ recoveries, faults }: RecoveryReport): string[] {
  const p99 = percentile(poolTimes(recoveries), 0.99);
  const slow = p99 < P99_MS ? [] : [`p99 of the recovery is ${inSeconds(p99)}`];
  const refused = recoveries.flatMap(({ killed, refusals }) =>
    refusals.map((refusal) => `refused after the end of ${killed}: ${refusal}`),
  );
  return [...slow, ...refused, ...faults];
}

/** A run as Markdown. */
export function reportRecovery(report: RecoveryReport, command: string): string {
  const { recoveries, seconds } = report;
  const kinds = [...new Set(recoveries.map(({ killed }) => killed))].toSorted();
  const rows = kinds.map((kind) =>
    describe(
      kind,
      recoveries.filter(({ killed }) => killed === kind),
    ),
  );
  const violations = findRecoveryViolations(report);
  return [
    ...reportHeading('How long a recovery takes', command),
    `${recoveries.length} kills in ${seconds} s, each during eight concurrent executions, with a node that takes 250 ms and the default waits and leases of the services. A recovery lasts from the kill until all eight callers have their effects and no coin is bound.`,
    '',
    ...markdownTable(
      ['killed', 'times', 'p50', 'p90', 'p99', 'longest', 'callers, longest'],
      [...rows, describe('all', recoveries)],
    ),
    '',
    ...violationList(violations),
  ].join('\n');
}

function describe(kind: string, recoveries: readonly Recovery[]): (string | number)[] {
  const times = poolTimes(recoveries);
  const callers = Math.max(...recoveries.map(({ callersMs }) => callersMs));
  const figures = [0.5, 0.9, 0.99, 1].map((share) => inSeconds(percentile(times, share)));
  return [kind, recoveries.length, ...figures, inSeconds(callers)];
}

/** Infinity for a pool that did not recover. */
function poolTimes(recoveries: readonly Recovery[]): number[] {
  return recoveries.map(({ poolMs }) => poolMs ?? Infinity);
}

function inSeconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : 'never';
}
