import { failpoints } from '@forecourt/runtime/failpoints';
import type { Invariant } from './find-violations.js';
import { allPoints } from './plan-chaos.js';
import type { ChaosReport } from './run-chaos.js';
import { markdownTable } from '../support/markdown-table.js';
import { reportHeading } from '../support/report-heading.js';
import { violationList } from '../support/violation-list.js';

const COUNTED_BY_THEMSELVES: readonly Invariant[] = [
  'coin used once',
  'executed once',
  'no action twice',
  'sent once',
  'gas adds up',
];

/** The figures of a run. */
export function summarize(report: ChaosReport) {
  const { calls, tally, violations } = report;
  const broken = (invariant: Invariant) =>
    violations.filter((violation) => violation.invariant === invariant).length;
  const actions = new Map<string, number>();
  for (const { action } of calls) actions.set(action, (actions.get(action) ?? 0) + 1);
  const answered = calls.filter(({ answers }) => answers.length > 0);
  const executed = answered.filter(({ answers }) => answers[0]!.kind === 'executed').length;
  return {
    seed: report.seed,
    seconds: report.seconds,
    rounds: report.rounds,
    kills: tally.killsInAll,
    killsByKind: inOrder(tally.kills),
    killsByPoint: Object.fromEntries(
      allPoints.map((point) => [point, tally.points.get(point) ?? 0]),
    ),
    faults: inOrder(tally.faults),
    calls: calls.length,
    actions: actions.size,
    actionsRepeatedWithANewTransaction: [...actions.values()].filter((times) => times > 1).length,
    callsAnsweredWithEffects: executed,
    callsRefused: answered.length - executed,
    callsNobodyWaitedFor: calls.length - answered.length,
    callsRepeatedAfterwards: report.retries,
    transactionsOnTheLedger: report.landed,
    coinsLost: report.coinsLost,
    doubleUses: broken('coin used once'),
    doubleExecutions: broken('executed once'),
    actionsDoneTwice: broken('no action twice'),
    amountsOrdered: report.orders,
    amountsOrderedAgainAfterALoss: report.ordersAfterLosses,
    amountsSentTwice: broken('sent once'),
    gasCountedWrongly: broken('gas adds up'),
    otherViolations: violations.filter(
      ({ invariant }) => !COUNTED_BY_THEMSELVES.includes(invariant),
    ).length,
    longestRecoverySeconds: Number((report.longestRecoveryMs / 1_000).toFixed(1)),
    longestWaitOfAClientSeconds: Number(
      (Math.max(0, ...calls.map(({ waitedMs }) => waitedMs ?? 0)) / 1_000).toFixed(1),
    ),
    violations,
  };
}

export type Summary = ReturnType<typeof summarize>;

/** The same as Markdown for human readers. */
export function reportTable(summary: Summary, command: string): string {
  const { killsByKind, killsByPoint, faults, violations, ...numbers } = summary;
  return [
    ...reportHeading('Kills and faults under load', command),
    ...markdownTable(
      ['what', 'number'],
      Object.entries(numbers).map(([name, n]) => [inWords(name), n]),
    ),
    '',
    '## Kills by kind',
    '',
    ...markdownTable(['killed', 'times'], Object.entries(killsByKind)),
    '',
    '## Kills at named points',
    '',
    ...markdownTable(
      ['point', 'where it is', 'times'],
      Object.entries(killsByPoint).map(([point, times]) => [
        `\`${point}\``,
        failpoints[point as keyof typeof failpoints],
        times,
      ]),
    ),
    '',
    '## Faults',
    '',
    ...markdownTable(['fault', 'times'], Object.entries(faults)),
    '',
    ...violationList(violations.map(({ invariant, detail }) => `${invariant}: ${detail}`)),
  ].join('\n');
}

function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function inOrder(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([one], [other]) => one.localeCompare(other)));
}
