import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readProgramOptions } from '@forecourt/testing/options';
import { ROOT } from '@forecourt/testing/system';
import { chooseCommit, currentCommit, isChanged } from './choose-commit.js';
import { findUpgradeViolations } from './find-upgrade-violations.js';
import { prepareClone } from './prepare-clone.js';
import { reportUpgrade } from './report-upgrade.js';
import { runUpgrade } from './run-upgrade.js';

const RESULTS = fileURLToPath(new URL('../../../results/', import.meta.url));
const MAX_SECONDS = 3_600;
const HELP = `npm run verify -- upgrade [--from <commit>] [--seconds <n>]

Starts a whole system of an older version, two replicas of each service. Replaces one replica after the other
by this version, back by the older one, and by this one again, while clients reserve, execute and repeat
calls. Ends with 1 if a request failed except with a 503 that asks to wait, or if anything was lost, executed
twice or left bound.

  --from     the older version: the last tag, otherwise origin/main, otherwise the commit before this one;
             its clone is kept in .data/upgrade
  --seconds  duration of the load after each replica (2)

Writes test-e2e/results/upgrade.md.`;

const values = readProgramOptions(HELP, {
  from: { type: 'string' },
  seconds: { type: 'string', default: '2' },
});
const beganAt = performance.now();
const say = (text: string) => {
  const seconds = ((performance.now() - beganAt) / 1_000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds}s  ${text}\n`);
};

process.exitCode = await verify(readSeconds(values.seconds)).catch(explain);

async function verify(seconds: number): Promise<number> {
  const commits = { old: chooseCommit(values.from), new: currentCommit() };
  const changed = isChanged();
  say(`from ${commits.old.hash.slice(0, 12)} ${commits.old.subject}`);
  say(`to   ${commits.new.hash.slice(0, 12)} ${commits.new.subject}`);
  const clones = { old: await prepareClone(commits.old), new: ROOT };
  const result = await runUpgrade({ clones, commits, loadMs: seconds * 1_000, say });
  const violations = findUpgradeViolations(result);
  const from = commits.old.hash.slice(0, 12);
  const command = `npm run verify -- upgrade --from ${from} --seconds ${seconds}`;
  const report = reportUpgrade({ command, commits, changed, result, violations });
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(`${RESULTS}upgrade.md`, report);
  process.stdout.write(report);
  return violations.length === 0 ? 0 : 1;
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds <= MAX_SECONDS) return seconds;
  process.stderr.write(`--seconds must be a number from 0 to ${MAX_SECONDS}, not ${text}\n`);
  process.exit(1);
}

/** Prints an error without its stack, because its reader can correct the cause. */
function explain(error: unknown): number {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
}
