import type { Finding } from '@forecourt/ledger';

const MARKS: Readonly<Record<Finding['verdict'], string>> = {
  fine: 'ok',
  notice: 'NOTE',
  missing: 'MISSING',
};
const VERDICT_WIDTH = 9;
const SUBJECT_WIDTH = 34;

/** Formats a finding for people: verdict, subject and answer in one line, its consequence below. */
export function formatFinding({ subject, answer, consequence, verdict }: Finding): string {
  const indent = ' '.repeat(VERDICT_WIDTH + SUBJECT_WIDTH);
  const head = MARKS[verdict].padEnd(VERDICT_WIDTH) + subject.padEnd(SUBJECT_WIDTH - 1);
  return `${head} ${answer}\n${indent}${consequence}`;
}
