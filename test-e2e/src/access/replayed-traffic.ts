import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ReplayReport } from '@forecourt/policy/replay';
import { appProgram } from '@forecourt/testing/system';
import type { Application } from '../support/application.js';

/** Texts of rules, and the options of the command. */
export interface Replayed {
  readonly inForce: string;
  readonly proposed: string;
  readonly from: number;
  readonly token?: string;
  /** The path of a file of tokens. */
  readonly tokens?: string;
}

/** The output of `forecourt access replay`. Throws its error, with what it wrote to `stderr`. */
export async function replay(
  { url, token }: Pick<Application, 'url' | 'token'>,
  { inForce, proposed, from, ...more }: Replayed,
  ...flags: string[]
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'replay-'));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const files = [
    '--rules',
    write('proposed.yaml', proposed),
    '--in-force',
    write('rules.yaml', inForce),
  ];
  const given = Object.entries({ from: String(from), ...more });
  const options = [...files, ...given.flatMap(([name, value]) => [`--${name}`, value])];
  const program = [appProgram('cli', 'forecourt.js'), 'access', 'replay', ...options, ...flags];
  const env = { ...process.env, FORECOURT_URL: url, FORECOURT_TOKEN: token, NODE_OPTIONS: '' };
  try {
    const running = promisify(execFile)(process.execPath, program, { env, maxBuffer: 2 ** 26 });
    return (await running).stdout;
  } catch (error) {
    const { code, stdout } = error as { readonly code: unknown; readonly stdout: string };
    // Decisions would change.
    if (code === 1 && stdout !== '') return stdout;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The report of a replay. Throws as `replay`. */
export async function reportOf(
  application: Pick<Application, 'url' | 'token'>,
  replayed: Replayed,
): Promise<ReplayReport> {
  return JSON.parse(await replay(application, replayed, '--json')) as ReplayReport;
}
