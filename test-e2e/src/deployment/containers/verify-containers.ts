import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { createSponsorKey, DATA } from '@forecourt/testing/system';
import { chooseSeed } from '@forecourt/testing/seed';
import { currentCommit, isChanged } from '../upgrade/choose-commit.js';
import { ComposeProject, IMAGE } from './compose-project.js';
import { Docker } from './docker.js';
import { readVersions } from './read-versions.js';
import { reportContainers } from './report-containers.js';
import { runContainers } from './run-containers.js';

const RESULTS = fileURLToPath(new URL('../../../results/', import.meta.url));
const LOGS = join(DATA, 'test-logs');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, keep: { type: 'boolean' } },
});
const beganAt = performance.now();
const say = (text: string) => {
  const seconds = ((performance.now() - beganAt) / 1_000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds}s  ${text}\n`);
};
const interrupting = new AbortController();
for (const signal of SIGNALS) {
  process.on(signal, () => interrupting.abort(new Error(`${signal} ended the run`)));
}

try {
  process.exitCode = await verify(Number(values.seconds), values.keep ?? false);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
// Interrupted steps may still wait for something.
process.exit();

async function verify(seconds: number, keep: boolean): Promise<number> {
  const { signal } = interrupting;
  const sponsor = createSponsorKey();
  const token = randomBytes(24).toString('hex');
  const variables = {
    FORECOURT_IMAGE: IMAGE,
    SPONSOR_KEYS: sponsor.secret,
    GAS_STATION_AUTH: token,
  };
  const project = new ComposeProject(new Docker(variables, signal));
  // The clean-up is not interrupted.
  const afterwards = new ComposeProject(new Docker(variables));
  let isOwn = false;
  try {
    await project.requireNone();
    isOwn = true;
    const commit = currentCommit();
    const seed = chooseSeed();
    const interrupted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    const parts = {
      project,
      sponsor: sponsor.address,
      token,
      commit: commit.hash,
      seed,
      seconds,
      say,
    };
    const running = runContainers({ ...parts, interrupted: signal });
    const result = await Promise.race([running, interrupted]);
    const versions = await readVersions(project, new Docker(variables, signal));
    const report = reportContainers({
      commit,
      result,
      versions,
      command: `FORECOURT_SEED=${seed} npm run verify -- containers --seconds ${seconds}`,
      isChanged: isChanged(),
    });
    mkdirSync(RESULTS, { recursive: true });
    writeFileSync(join(RESULTS, 'containers.md'), report);
    process.stdout.write(report);
    return result.violations.length === 0 ? 0 : 1;
  } finally {
    interrupting.abort();
    if (isOwn) await end(afterwards, keep);
  }
}

/** Saves the logs, and removes everything else except with `keep`. */
async function end(project: ComposeProject, keep: boolean): Promise<void> {
  mkdirSync(LOGS, { recursive: true });
  const log = join(LOGS, 'containers.log');
  writeFileSync(log, await project.logs().catch(String));
  say(`the logs are in ${log}`);
  if (keep) {
    say(`to remove the containers: docker ${project.arguments.join(' ')} down --volumes`);
    return;
  }
  say('removing containers, networks, volumes and the image');
  await project.remove();
}
