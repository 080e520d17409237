import { existsSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { afterAll, describe, expect, it } from '@jest/globals';
import { findFileVersion, readAccessFiles } from './read-access-files.js';
import { VersionedFiles } from './versioned-files.js';

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

const hash = 'ab'.repeat(32);
const tokensFile = folder.write(
  'tokens.yaml',
  `tokens:\n  - { name: shop, role: sponsor, hash: ${hash}, rule-set: strict }\n`,
);
const rules = (more: string) =>
  folder.write('rules.yaml', `access-controller:\n  access-policy: deny-all\n${more}`);
const STRICT = '  rule-sets:\n    strict: { access-policy: deny-all }\n';

describe('the files of tokens and rules', () => {
  it('are optional: without them there are no tokens, and no rule forbids anything', async () => {
    const { tokens, rules: none, versions } = await readAccessFiles(null, null);
    expect([tokens, none.policy, versions.size]).toEqual([[], 'disabled', 0]);
  });

  it('are read together, and each has a version', async () => {
    const rulesFile = rules(STRICT);
    const read = await readAccessFiles(tokensFile, rulesFile);
    expect(read.tokens).toMatchObject([{ caller: { name: 'shop', ruleSet: 'strict' } }]);
    expect(read.rules.ruleSets.get('strict')).toMatchObject({ policy: 'deny-all' });
    expect([...read.versions.keys()].toSorted()).toEqual([rulesFile, tokensFile].toSorted());
  });

  it('are refused if a token names an undefined rule set', async () => {
    await expect(readAccessFiles(tokensFile, rules(''))).rejects.toThrow(
      'TOKENS_FILE: token shop names the rule set strict, which ACCESS_RULES_FILE does not define',
    );
  });

  it('are refused with the variable, and the line or the reason why they cannot be read', async () => {
    const rulesFile = rules('  unheard: of\n');
    await expect(readAccessFiles(null, rulesFile)).rejects.toThrow(/^ACCESS_RULES_FILE, line 3/);
    const missing = folder.pathOf('missing.yaml');
    await expect(readAccessFiles(missing, null)).rejects.toThrow(
      /^TOKENS_FILE cannot be read: .*ENOENT/,
    );
  });
});

describe('the version of a file', () => {
  it('changes if a link is pointed at another file', async () => {
    const time = new Date();
    for (const name of ['a', 'b']) utimesSync(folder.write(name, `text ${name}`), time, time);
    const link = folder.pathOf('link');
    symlinkSync('a', link);
    const files = new VersionedFiles();
    expect((await files.read(link)).toString()).toBe('text a');
    expect(await findFileVersion(link)).toBe(files.versions.get(link));
    symlinkSync('b', folder.pathOf('next'));
    renameSync(folder.pathOf('next'), link);
    expect(await findFileVersion(link)).not.toBe(files.versions.get(link));
  });

  it('changes from absent once the file exists', async () => {
    const files = new VersionedFiles();
    const path = folder.pathOf('late');
    expect(existsSync(path)).toBe(false);
    await expect(files.read(path)).rejects.toThrow(/ENOENT/);
    expect(await findFileVersion(path)).toBe(files.versions.get(path));
    folder.write('late', 'text');
    expect(await findFileVersion(path)).not.toBe(files.versions.get(path));
  });
});
