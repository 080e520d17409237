import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseKeyEntries } from '@forecourt/key-services';
import { readAccessFiles } from '@forecourt/policy/tokens';
import type { ImportedSettings } from './import-settings.js';

/** All services in one process. */
const STATION = join(import.meta.dirname, '../../../station/dist/bundle/main.js');
/** A remark asks for it, because a configuration of IOTA's gas station does not have it. */
const GIVEN_LATER = { GAS_STATION_AUTH: 'given-later' };

/** The mistakes for which services would refuse to start with imported settings; none: they accept them. */
export async function findMistakes({
  variables,
}: Pick<ImportedSettings, 'variables'>): Promise<readonly string[]> {
  return [
    ...(await findInVariables(Object.fromEntries(variables))),
    ...(await findInRules(variables.get('ACCESS_RULES_FILE') ?? null)),
    ...findInKey(variables.get('SPONSOR_KEYS')),
  ];
}

async function findInVariables(variables: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const child = spawn(process.execPath, [STATION, '--check'], {
    env: { ...GIVEN_LATER, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  if (code === 0) return [];
  const line = output.split('\n').findLast((one) => one.startsWith('{')) ?? '{}';
  const { error = output } = JSON.parse(line) as { error?: string };
  const problems = [...error.matchAll(/^ +- (.*)$/gm)].map(([, problem]) => problem!);
  return problems.length > 0 ? problems : [error];
}

/** Services read the keys after the variables. */
function findInKey(key: string | undefined): readonly string[] {
  if (key === undefined) return [];
  try {
    parseKeyEntries([key]);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

async function findInRules(file: string | null): Promise<readonly string[]> {
  try {
    await readAccessFiles(null, file);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
