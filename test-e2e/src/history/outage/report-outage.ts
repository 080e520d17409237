import { isDeepStrictEqual } from 'node:util';
import { percentile } from '@forecourt/testing/figures';
import { markdownTable } from '../../support/markdown-table.js';
import { reportHeading } from '../../support/report-heading.js';
import { violationList } from '../../support/violation-list.js';
import { ALERTS, type OutageReport } from './measure-outage.js';

/** The default of `HISTORY_BACKLOG`. */
const USUAL_BACKLOG = 1_000_000;
/** An alert that waits for seven minutes can fire in an outage of this length. */
const LONG_SECS = 600;
/** The median while the database is away may be larger by this factor, and by the noise of a busy machine. */
const SLOWER = 1.25;
const NOISE_MS = 5;
/** Transactions an hour, of a fleet that is as busy as `npm run bench`. */
const BUSY_HOUR = 1_400_000;

/** The violated requirements. */
export function findOutageViolations(report: OutageReport): string[] {
  const { phases, failures, alerts, awaySecs, dropped, expected, recorded } = report;
  const medianOf = (wanted: string) =>
    percentile(phases.find(({ name }) => name === wanted)?.times ?? [], 0.5);
  const [before, away] = [medianOf('before'), medianOf('away')];
  const silent = awaySecs < LONG_SECS ? [] : ALERTS.filter((alert) => !alerts.has(alert));
  return [
    ...failures.map((failure) => `sponsoring failed: ${failure}`),
    ...(away <= SLOWER * before + NOISE_MS
      ? []
      : [`sponsoring took ${away.toFixed(0)} ms instead of ${before.toFixed(0)} ms`]),
    ...silent.map((alert) => `${alert} did not fire`),
    ...(dropped === 0 ? [] : [`${dropped} entries were dropped`]),
    ...(isDeepStrictEqual(expected, recorded)
      ? []
      : [`history has ${JSON.stringify(recorded)} instead of ${JSON.stringify(expected)}`]),
  ];
}

/** A run as Markdown. */
export function reportOutage(report: OutageReport, command: string): string {
  const { phases, kept, memory, alerts, awaySecs, catchUpSecs, recorded } = report;
  const violations = findOutageViolations(report);
  const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  return [
    ...reportHeading('PostgreSQL away', command),
    `PostgreSQL was away for ${awaySecs.toFixed(0)} s. ${kept} entries waited in Redis, whose memory grew from ${mebibytes(memory.before)} to ${mebibytes(memory.atReturn)}. After its return, they were written in ${catchUpSecs.toFixed(0)} s: ${(kept / catchUpSecs).toFixed(0)} a second. History has ${recorded.transactions} transactions with ${recorded.gas} units of gas, each once.`,
    '',
    ...markdownTable(
      ['phase', 'sponsored', 'p50', 'p99', 'longest'],
      phases.map(({ name, times }) => [
        name,
        times.length,
        ...[0.5, 0.99, 1].map((share) => `${percentile(times, share).toFixed(0)} ms`),
      ]),
    ),
    '',
    ...markdownTable(
      ['alert', 'fires after', `share of ${USUAL_BACKLOG} entries at ${BUSY_HOUR} an hour`],
      [...alerts].map(([alert, secs]) => {
        const share = (secs * BUSY_HOUR) / 3_600 / USUAL_BACKLOG;
        return [alert, `${secs} s`, `${(100 * share).toFixed(0)} %`];
      }),
    ),
    '',
    ...violationList(violations),
  ].join('\n');
}
