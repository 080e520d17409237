import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATA, inheritedEnvironment, startSystem } from '@forecourt/testing/system';

/** The client, and the public tools that it needs at exact versions. */
const SOURCE = fileURLToPath(new URL('../../../openapi-client/', import.meta.url));
/** Inside the clone, so that Node resolves packages from here before those of the project. */
const FOLDER = join(DATA, 'openapi-client');
const NO_TELEMETRY = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const TOOLS = join(FOLDER, 'node_modules', '.bin');

/**
 * Runs a program in the folder with its output shown. Without `env` it inherits everything, because npm needs
 * that to reach its registry. Throws if its exit code is not 0.
 */
async function run(program: string, args: readonly string[], env?: NodeJS.ProcessEnv) {
  process.stderr.write(`${program} ${args.join(' ')}\n`);
  const child = spawn(program, args, {
    cwd: FOLDER,
    ...(env && { env: { ...inheritedEnvironment(), ...env } }),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

async function prepareFolder(): Promise<void> {
  rmSync(join(FOLDER, 'dist'), { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  cpSync(SOURCE, FOLDER, { recursive: true });
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']);
}

/**
 * Checks the document of a running gateway, generates a client from it, and sponsors a transaction with that
 * client.
 */
async function verify(gatewayUrl: string, ledgerUrl: string, token: string): Promise<void> {
  const response = await fetch(`${gatewayUrl}/openapi.json`);
  writeFileSync(join(FOLDER, 'openapi.json'), await response.text());
  await run(join(TOOLS, 'spectral'), ['lint', 'openapi.json', '--fail-severity=hint']);
  await run(join(TOOLS, 'redocly'), ['lint', 'openapi.json', '--format=summary'], NO_TELEMETRY);
  await run(join(TOOLS, 'openapi-typescript'), ['openapi.json', '--output', 'schema.ts']);
  await run('tsc', ['--project', '.']);
  await run(process.execPath, ['dist/sponsor-transaction.js', gatewayUrl, ledgerUrl], {
    TOKEN: token,
  });
}

await prepareFolder();
const system = await startSystem();
try {
  await verify(system.gatewayUrls[0]!, system.facts.ledgerUrl, system.token);
  process.stdout.write('openapi.json is valid, and its client sponsors a transaction\n');
} finally {
  await system.stop();
}
