import { existsSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { findFileVersion, VersionedFiles } from './versioned-files.js';

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

describe('the version of a file', () => {
  it('changes if a link is pointed at another file', async () => {
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
