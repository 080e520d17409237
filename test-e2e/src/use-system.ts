import { TemporaryFolder, useStarted } from '@forecourt/testing/jest';
import type { SystemOptions } from '@forecourt/testing/system';
import { startTestSystem, type TestSystem } from './test-system.js';

/** A system with a folder for files such as rules and tokens. */
export interface SystemWithFiles extends TestSystem {
  readonly files: TemporaryFolder;
}

/** A system for all tests of a file or block. Options that depend on files are computed once their folder exists. */
export function useSystem(
  options: SystemOptions | ((files: TemporaryFolder) => SystemOptions) = {},
): SystemWithFiles {
  return useStarted(
    async () => {
      const files = new TemporaryFolder();
      try {
        const chosen = typeof options === 'function' ? options(files) : options;
        return { ...(await startTestSystem(chosen)), files };
      } catch (error) {
        files.remove();
        throw error;
      }
    },
    async (system) => {
      await system.stop();
      system.files.remove();
    },
  );
}
