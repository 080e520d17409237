import type { Commit } from './choose-commit.js';
import {
  requirements,
  type Requirement,
  type UpgradeViolation,
} from './find-upgrade-violations.js';
import { inSeconds } from './replace-services.js';
import type { UpgradeResult } from './run-upgrade.js';
import { markdownTable } from '../../support/markdown-table.js';
import { reportHeading } from '../../support/report-heading.js';
import { violationList } from '../../support/violation-list.js';

interface UpgradeReport {
  readonly command: string;
  readonly commits: { readonly old: Commit; readonly new: Commit };
  /** Whether the new version had uncommitted changes. */
  readonly changed: boolean;
  readonly result: UpgradeResult;
  readonly violations: readonly UpgradeViolation[];
}

/** A run as Markdown for human readers. */
export function reportUpgrade(report: UpgradeReport): string {
  const { command, commits, changed, result, violations } = report;
  const { seen, steps } = result;
  const note = changed ? ', and changes that are not committed' : '';
  return [
    ...reportHeading('Rolling upgrade and rollback under load', command),
    ...markdownTable(
      ['version', 'commit'],
      [
        ['old', `${commits.old.hash.slice(0, 12)} ${commits.old.subject}`],
        ['new', `${commits.new.hash.slice(0, 12)} ${commits.new.subject}${note}`],
      ],
    ),
    '',
    ...markdownTable(
      ['what', 'number'],
      [
        ['seconds', result.seconds],
        ['replicas replaced', steps.length],
        ['transactions executed', seen.executed.length],
        ['calls repeated with the same answer', seen.repeated],
        ['pages of events', seen.pages],
        ['requests that found no listener and were repeated', seen.refused],
        ...Object.entries(seen.requests).map(
          ([reason, times]) => [`503 with Retry-After, then answered: ${reason}`, times] as const,
        ),
        ['requests that failed', seen.failures.length],
        ['transactions of the sponsor on the ledger', result.landed.size],
      ],
    ),
    '',
    '## Requirements',
    '',
    ...markdownTable(
      ['requirement', 'met'],
      Object.entries(requirements).map(([name, text]) => [
        text,
        verdict(name as Requirement, violations),
      ]),
    ),
    '',
    '## Replicas, in the order in which they were replaced',
    '',
    ...markdownTable(
      [
        'phase',
        'replica',
        'ended after',
        'ready after',
        'transactions',
        'asked to wait',
        'version',
      ],
      steps.map((step) => [
        step.phase,
        step.replica,
        `${inSeconds(step.stopMs)} s`,
        `${inSeconds(step.readyMs)} s`,
        step.transactions,
        step.requests,
        step.version ?? '',
      ]),
    ),
    '',
    ...violationList(
      violations.map(({ requirement, detail }) => `${requirements[requirement]}: ${detail}`),
    ),
  ].join('\n');
}

function verdict(name: Requirement, violations: readonly UpgradeViolation[]): string {
  const count = violations.filter(({ requirement }) => requirement === name).length;
  return count === 0 ? 'yes' : `no (${count})`;
}
