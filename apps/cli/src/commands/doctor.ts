import { examineNode, type Finding } from '@forecourt/ledger';
import { parseHttpHeaders } from '@forecourt/runtime/config';
import { Command } from 'commander';
import { readDoctorConfig } from '../terminal/command-config.js';
import { EXIT } from '../terminal/exit-codes.js';
import { collect } from '../terminal/read-arguments.js';

interface DoctorOptions {
  readonly url?: string[];
  readonly headers?: string;
  readonly sponsor: string[];
  readonly json?: boolean;
}

/** `doctor`: examines what a ledger node can do for this service. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('examine what a ledger node can do for this service')
    .option(
      '--url <url>',
      'node, may be given several times; default: those of LEDGER_URL and LEDGER_READ_URL',
      collect,
    )
    .option(
      '--headers <headers>',
      'JSON object, or lines of "Name: value"; default: LEDGER_HEADERS',
    )
    .option(
      '--sponsor <address>',
      'also looks at this sponsor’s balance, may be given several times',
      collect,
      [],
    )
    .option('--json', 'for programs: a line of JSON for each finding')
    .addHelpText(
      'after',
      `
Asks each ledger node about a hundred read-only questions and prints what every answer means for this service.

Exit code 0: every node has what is essential; 1: something essential is missing; 2: the command failed.`,
    )
    .action(async ({ url, headers: given, sponsor, json = false }: DoctorOptions) => {
      const { ledgerUrls, ledgerReadUrls, ledgerHeaders } = readDoctorConfig();
      const headers = given === undefined ? ledgerHeaders : parseHttpHeaders(given);
      for (const node of url ?? new Set([...ledgerUrls, ...ledgerReadUrls])) {
        if (!json) console.log(`Node ${node}`);
        for await (const finding of examineNode({ url: node, headers }, sponsor)) {
          console.log(json ? JSON.stringify({ url: node, ...finding }) : formatFinding(finding));
          if (finding.verdict === 'missing') process.exitCode = EXIT.negative;
        }
      }
    });
}

const MARKS: Readonly<Record<Finding['verdict'], string>> = {
  fine: 'ok',
  notice: 'NOTE',
  missing: 'MISSING',
};
const VERDICT_WIDTH = 9;
const SUBJECT_WIDTH = 34;

/** Formats a finding for people: verdict, subject and answer in one line, its consequence below. */
function formatFinding({ subject, answer, consequence, verdict }: Finding): string {
  const indent = ' '.repeat(VERDICT_WIDTH + SUBJECT_WIDTH);
  const head = MARKS[verdict].padEnd(VERDICT_WIDTH) + subject.padEnd(SUBJECT_WIDTH - 1);
  return `${head} ${answer}\n${indent}${consequence}`;
}
