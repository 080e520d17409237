import { resolve } from 'node:path';
import { type AccessRules, readAccessRules } from '../access/index.js';
import { InvalidFile } from '../yaml/index.js';
import { readTokenFile, type KnownToken } from './read-token-file.js';
import { VersionedFiles } from './versioned-files.js';

/** Tokens and rules as they stand in their files, read together so that they fit one another. */
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
  sponsorBudget: [],
  deniedReservation: 'keep',
  dryRun: false,
};

/** Reads both files; null: there is none. Throws `Error` naming the variable, the line and the reason. */
export async function readAccessFiles(
  tokensFile: string | null,
  rulesFile: string | null,
): Promise<AccessFiles> {
  const files = new VersionedFiles();
  const tokens = await readFrom(files, 'TOKENS_FILE', tokensFile, [], readTokenFile);
  const rules = await readFrom(files, 'ACCESS_RULES_FILE', rulesFile, WITHOUT_RULES, (text, file) =>
    readAccessRules(text, file, (path) => files.read(path)),
  );
  for (const { caller } of tokens) {
    if (caller.ruleSet !== null && !rules.ruleSets.has(caller.ruleSet)) {
      throw new Error(
        `TOKENS_FILE: token ${caller.name} names the rule set ${caller.ruleSet}, which ACCESS_RULES_FILE does not define`,
      );
    }
  }
  return { tokens, rules, versions: files.versions };
}

async function readFrom<T>(
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
