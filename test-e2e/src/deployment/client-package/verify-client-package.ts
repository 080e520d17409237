import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@forecourt/testing/system';
import { examples, installed, programs } from '../../events/client-readme.js';
import { atAddresses, lineOf } from '../../support/documented-program.js';
import { type Started, startUp } from '../start/run-start.js';
import { transpile } from '../../support/transpile.js';
import { NewApplication } from './new-application.js';
import { walkInBrowser } from './walk-in-browser.js';

const [chromium] = process.argv.slice(2);

/** Packs the client as the README says, and answers the file's path. */
async function pack(destination: string): Promise<string> {
  const program = join(ROOT, 'apps', 'cli', 'bin', 'forecourt.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    'pack-client',
    '--out',
    destination,
  ]);
  return stdout.trim();
}

/** The package by itself: its form, and its types and code without anything beside it. */
async function verifyAlone(application: NewApplication, tarball: string): Promise<void> {
  await application.install(tarball);
  await application.tool('publint', '--strict', tarball);
  await application.tool('attw', tarball, '--profile', 'esm-only');
  await application.tool('tsc', '--project', 'tsconfig.alone.json');
  await application.run(process.execPath, ['alone.mts'], {});
}

/** The examples of its README, as they stand, with what the README says to install. */
async function verifyExamples(application: NewApplication): Promise<void> {
  for (const packages of installed) {
    await application.install(...packages.filter((name) => name !== '@forecourt/client'));
  }
  for (const [index, text] of examples.entries()) {
    application.write(`example-${index + 1}.mts`, text);
  }
  await application.tool('tsc', '--project', 'tsconfig.json');
}

/** The whole programs of the README, in the oldest Node. */
async function verifyPrograms(
  application: NewApplication,
  node: string,
  { gatewayUrl, ledgerUrl, token }: Started,
): Promise<void> {
  const [sponsor, follow] = programs.map((text) =>
    transpile(atAddresses(text, gatewayUrl, ledgerUrl)),
  );
  application.write('sponsor.mjs', sponsor!);
  application.write('follow.mjs', follow!);
  const run = () => application.run(node, ['sponsor.mjs'], { TOKEN: token });
  await run();
  const follower = application.start(node, ['follow.mjs'], {});
  const ended = once(follower, 'exit');
  try {
    await lineOf(follower.stdout!, /^past .*checkpoint: \d+/);
  } finally {
    follower.kill();
    await ended;
  }
}

const application = new NewApplication();
try {
  await verifyAlone(application, await pack(application.folder));
  await verifyExamples(application);
  const node = await application.oldestNode();
  const started = await startUp(join(application.folder, 'data'));
  try {
    await verifyPrograms(application, node, started);
    await walkInBrowser(application, node, started, chromium!);
  } finally {
    await started.stop();
  }
  process.stdout.write(
    'the packed client installs, compiles and sponsors transactions in Node and in Chromium\n',
  );
} finally {
  application.remove();
}
