import { MOST_P99_RATIO, p99Ratio } from './find-attack-violations.js';
import type { HonestPhase } from './honest-samples.js';
import type { AttackSoakReport } from './run-attack-soak.js';
import type { SampleSummary } from './samples.js';
import { type Cells, inOneLine, markdownTable } from '../../support/markdown-table.js';
import { reportHeading } from '../../support/report-heading.js';
import { violationList } from '../../support/violation-list.js';

/** Violations of the latency bound, which only long runs check. */
export function findSlowness({ quiet, attacked }: AttackSoakReport): string[] {
  return (['sponsoring', 'queries'] as const).flatMap((kind) => {
    const ratio = p99Ratio(quiet, attacked, kind);
    if (ratio < MOST_P99_RATIO) return [];
    return [
      `honest ${kind}: p99 under attack is ${ratio.toFixed(2)} times the quiet one, ` +
        `it must be below ${MOST_P99_RATIO}`,
    ];
  });
}

/** A run as Markdown for human readers. */
export function attackReport(
  report: AttackSoakReport,
  violations: readonly string[],
  command: string,
): string {
  const { quiet, attacked, counted, costs, memory, attacks } = report;
  const total = Object.values(counted).reduce((sum, one) => sum + one, 0n);
  return [
    ...reportHeading('Attackers beside honest clients', command),
    `It took ${report.seconds} s, including quiet phases and the time until the pool settled.`,
    '',
    '## Honest clients',
    '',
    ...markdownTable(
      ['figure', 'quiet', 'under attack', 'ratio'],
      [...honestRows('sponsoring', quiet, attacked), ...honestRows('queries', quiet, attacked)],
    ),
    '',
    '## Money, in the smallest unit',
    '',
    ...markdownTable(
      ['what', 'amount'],
      [
        ['decrease of the sponsor’s balance and deposits', report.wealthDecrease],
        ['counted in the budgets of all callers', total],
        [`cost of ${costs.userTransactions} transactions of users`, costs.users],
        [
          `cost of ${costs.maintenanceTransactions} maintenance transactions of the pool`,
          costs.maintenance,
        ],
      ],
    ),
    '',
    '## Attackers',
    '',
    ...markdownTable(
      ['attacker', 'wants to', 'counted', 'answers'],
      attacks.map(({ attacker, aim, answers }) => [
        attacker,
        aim,
        counted[attacker] ?? 0n,
        Object.entries(answers.counts)
          .map(([kind, count]) => `${kind}: ${count}`)
          .join('<br>'),
      ]),
    ),
    '',
    '## Resident memory, in MiB',
    '',
    ...markdownTable(
      ['service', 'quiet', 'maximum under attack', 'afterwards'],
      Object.keys(memory.quiet).map((name) => [
        name,
        memory.quiet[name] ?? null,
        memory.most[name] ?? null,
        memory.afterwards[name] ?? null,
      ]),
    ),
    '',
    '## Failures that honest clients saw',
    '',
    ...reasons(quiet, 'quiet'),
    ...reasons(attacked, 'under attack'),
    '',
    ...violationList(violations),
  ].join('\n');
}

function honestRows(kind: keyof HonestPhase, quiet: HonestPhase, attacked: HonestPhase): Cells[] {
  const row = (name: string, of: (summary: SampleSummary) => number | string): Cells => [
    `${kind}: ${name}`,
    of(quiet[kind]),
    of(attacked[kind]),
    '',
  ];
  return [
    row('succeeded', ({ successes }) => successes),
    row('failed', ({ failures }) => failures),
    row('success rate, %', ({ successRate }) => (100 * successRate).toFixed(3)),
    row('p50, ms', ({ p50Ms }) => p50Ms),
    [
      `${kind}: p99, ms`,
      quiet[kind].p99Ms,
      attacked[kind].p99Ms,
      p99Ratio(quiet, attacked, kind).toFixed(2),
    ],
  ];
}

function reasons(phase: HonestPhase, name: string): string[] {
  const all = [
    ...Object.entries(phase.sponsoring.reasons),
    ...Object.entries(phase.queries.reasons),
  ];
  if (all.length === 0) return [`- ${name}: none`];
  return all.map(([reason, count]) => `- ${name}, ${count} times: ${inOneLine(reason)}`);
}
