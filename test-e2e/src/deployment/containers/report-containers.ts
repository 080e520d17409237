import type { Commit } from '../upgrade/choose-commit.js';
import { requirements } from './find-container-violations.js';
import type { ContainersResult } from './run-containers.js';
import { markdownTable } from '../../support/markdown-table.js';
import { reportHeading } from '../../support/report-heading.js';
import { violationList } from '../../support/violation-list.js';

interface ContainersReport {
  readonly command: string;
  readonly commit: Commit;
  /** Whether uncommitted changes were present. */
  readonly isChanged: boolean;
  /** Names with versions: the engine and the software in containers. */
  readonly versions: Readonly<Record<string, string>>;
  readonly result: ContainersResult;
}

/** A run as Markdown for human readers. */
export function reportContainers(report: ContainersReport): string {
  const { command, commit, isChanged, versions, result } = report;
  const { kills, transactions, restore, idle, violations } = result;
  const note = isChanged ? ', and changes that are not committed' : '';
  const percent = idle.reduce((sum, { percentOfCore }) => sum + percentOfCore, 0);
  return [
    ...reportHeading('The whole system in containers', command),
    ...markdownTable(
      ['what', 'version'],
      [
        ['commit', `${commit.hash.slice(0, 12)} ${commit.subject}${note}`],
        ...Object.entries(versions),
      ],
    ),
    '',
    ...markdownTable(
      ['what', 'number'],
      [
        ['transactions executed while containers were killed', transactions.kills],
        ['transactions executed around the restore', transactions.restore],
        ['transactions between backup and restore', restore.transactions],
        ['calls around the restore that were refused', restore.refused],
        ['from the stop of Redis until executing again', inSeconds(restore.servedMs)],
      ],
    ),
    '',
    '## Requirements',
    '',
    ...markdownTable(
      ['requirement', 'met'],
      requirements.map((text) => {
        const count = violations.filter(({ requirement }) => requirement === text).length;
        return [text, count === 0 ? 'yes' : `no (${count})`];
      }),
    ),
    '',
    '## Kills',
    '',
    ...markdownTable(
      ['killed', 'healthy after', 'executing after'],
      kills.map(({ names, healthyMs, servedMs }) => [
        names.join(', '),
        inSeconds(healthyMs),
        inSeconds(servedMs),
      ]),
    ),
    '',
    '## Idle',
    '',
    ...markdownTable(
      ['container', 'CPU, % of a core', 'memory'],
      [
        ...idle.map(({ name, percentOfCore, memory }) => [name, percentOfCore.toFixed(2), memory]),
        ['all', percent.toFixed(2), ''],
      ],
    ),
    '',
    ...violationList(violations.map(({ requirement, detail }) => `${requirement}: ${detail}`)),
  ].join('\n');
}

function inSeconds(ms: number | null): string {
  return ms === null ? 'too long' : `${(ms / 1_000).toFixed(1)} s`;
}
