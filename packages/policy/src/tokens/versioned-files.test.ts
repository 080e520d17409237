import { existsSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { findFileVersion, VersionedFiles } from './versioned-files.js';

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

describe('the version of a file', () => {
  it('is that of what was read, and another one once a link leads elsewhere', async () => {
    const at = new Date();
    for (const name of ['a', 'b']) utimesSync(folder.write(name, `text ${name}`), at, at);
    const link = folder.pathOf('link');
    symlinkSync('a', link);
    const files = new VersionedFiles();
    expect((await files.read(link)).toString()).toBe('text a');
    expect(await findFileVersion(link)).toBe(files.versions.get(link));
    symlinkSync('b', folder.pathOf('next'));
    renameSync(folder.pathOf('next'), link);
    expect(await findFileVersion(link)).not.toBe(files.versions.get(link));
  });

  it('of a file that cannot be read changes when the file is there', async () => {
    const files = new VersionedFiles();
    const path = folder.pathOf('late');
    expect(existsSync(path)).toBe(false);
    await expect(files.read(path)).rejects.toThrow(/ENOENT/);
    expect(await findFileVersion(path)).toBe(files.versions.get(path));
    folder.write('late', 'text');
    expect(await findFileVersion(path)).not.toBe(files.versions.get(path));
  });
});
