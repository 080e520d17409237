import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type AccessRules,
  readAccessRules,
  resolveSponsor,
  type RuleOptions,
} from '../access/index.js';
import { InvalidFile } from '../yaml/index.js';
import type { Caller } from './caller.js';
import { type KnownToken, readTokenFile, type TokenFile } from './read-token-file.js';
import { VersionedFiles, ABSENT, versionOf } from './versioned-files.js';

/** Tokens and rules, read from their files together so that they fit one another. */
export interface AccessFiles {
  readonly tokens: readonly KnownToken[];
  readonly rules: AccessRules;
  /** Every file they were read from → the version that was read, as `findFileVersion` returns it. */
  readonly versions: ReadonlyMap<string, string>;
}

const WITHOUT_RULES: AccessRules = {
  policy: 'disabled',
  rules: [],
  ruleSets: new Map(),
  sponsorNames: new Map(),
  sponsorBudget: [],
  deniedReservation: 'keep',
  dryRun: false,
};

export const WITHOUT_TOKENS: TokenFile = { tokens: [], webhooks: new Map() };

/**
 * Reads both files; null: the file is not configured. Throws `Error` naming the variable, the line and the
 * reason.
 */
export async function readAccessFiles(
  tokensFile: string | null,
  rulesFile: string | null,
  options: RuleOptions = {},
): Promise<AccessFiles> {
  const files = new VersionedFiles();
  const { tokens: known } = await readConfigured(
    files,
    'TOKENS_FILE',
    tokensFile,
    WITHOUT_TOKENS,
    readTokenFile,
  );
  const rules = await readConfigured(
    files,
    'ACCESS_RULES_FILE',
    rulesFile,
    WITHOUT_RULES,
    (text, file) => readAccessRules(text, file, (path) => files.read(path), options),
  );
  const tokens = known.map((token) => ({ ...token, caller: withRules(token.caller, rules) }));
  return { tokens, rules, versions: files.versions };
}

function withRules(caller: Caller, general: AccessRules): Caller {
  const { name, ruleSet } = caller;
  const rules = ruleSet === null ? general : general.ruleSets.get(ruleSet);
  const sponsors = sponsorsOf(caller, general);
  if (rules !== undefined) return { ...caller, rules, sponsors };
  throw new Error(
    `TOKENS_FILE: token ${name} names the rule set ${ruleSet}, which ACCESS_RULES_FILE does not define`,
  );
}

function sponsorsOf({ name, sponsors }: Caller, { sponsorNames }: AccessRules): Caller['sponsors'] {
  if (sponsors === 'any') return sponsors;
  try {
    return sponsors.map((one) => resolveSponsor(one, sponsorNames));
  } catch (cause) {
    throw new Error(`TOKENS_FILE: token ${name} ${(cause as Error).message}`, { cause });
  }
}

/**
 * The content of a file that a variable names; `without` if it names none. Throws `Error` naming the
 * variable, the line and the reason.
 */
export async function readConfigured<T>(
  files: VersionedFiles,
  variable: string,
  file: string | null,
  without: T,
  read: (text: string, file: string) => T | Promise<T>,
): Promise<T> {
  if (file === null) return without;
  const path = resolve(file);
  try {
    return await read((await files.read(path)).toString('utf8'), path);
  } catch (cause) {
    const { message } = cause as Error;
    const what = cause instanceof InvalidFile ? `, ${message}` : ` cannot be read: ${message}`;
    throw new Error(`${variable}${what}`, { cause });
  }
}

/** The current version of a file. It changes with the content, and when a link is pointed at another file. */
export async function findFileVersion(path: string): Promise<string> {
  try {
    return versionOf(await stat(path, { bigint: true }));
  } catch {
    return ABSENT;
  }
}
