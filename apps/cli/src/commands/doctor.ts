import { examineKeyService, type KeyFinding, parseKeyEntries } from '@forecourt/key-services';
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
  readonly signer?: string[];
  readonly json?: boolean;
}

/** `doctor`: examines what a ledger node can do for this service. */
export function doctorCommand(): Command {
  return new Command('doctor')
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
    .option(
      '--signer <url>',
      'key service to examine instead of nodes, may be given several times; default: those of SPONSOR_KEYS, besides the nodes',
      collect,
    )
    .option('--json', 'for programs: a line of JSON for each finding')
    .addHelpText(
      'after',
      `
Asks each ledger node about a hundred questions that change nothing, and prints what every answer means for this service.
To a node over gRPC it submits a transaction that can never land. Has each key service sign such a transaction, and
verifies the signatures; a URL without an address shows it.

Exit code 0: everything essential is there; 1: something essential is missing; 2: the command failed.`,
    )
    .action(async ({ url, headers: given, sponsor, signer, json = false }: DoctorOptions) => {
      const { ledgerUrls, ledgerReadUrls, ledgerHeaders, sponsorKeys } = readDoctorConfig();
      await examineKeyServices(signer ?? sponsorKeys, json);
      if (signer !== undefined && url === undefined) return;
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

async function examineKeyServices(keys: readonly string[], json: boolean): Promise<void> {
  for (const entry of parseKeyEntries(keys, { needsAddress: false })) {
    if ('signer' in entry) continue;
    if (!json) console.log(`Key service ${entry.name}`);
    for await (const finding of examineKeyService(entry)) {
      const fields = { signer: entry.name, ...finding };
      console.log(json ? JSON.stringify(fields) : headOf(finding));
      if (finding.verdict === 'missing') process.exitCode = EXIT.negative;
    }
  }
}

const MARKS: Readonly<Record<Finding['verdict'], string>> = {
  fine: 'ok',
  notice: 'NOTE',
  missing: 'MISSING',
};
const VERDICT_WIDTH = 9;
const SUBJECT_WIDTH = 34;

/** Formats a finding for people: verdict, subject and answer in one line, its consequence below. */
function formatFinding(finding: Finding): string {
  const indent = ' '.repeat(VERDICT_WIDTH + SUBJECT_WIDTH);
  return `${headOf(finding)}\n${indent}${finding.consequence}`;
}

function headOf({ subject, answer, verdict }: Finding | KeyFinding): string {
  return `${MARKS[verdict].padEnd(VERDICT_WIDTH)}${subject.padEnd(SUBJECT_WIDTH - 1)} ${answer}`;
}
