import { join } from 'node:path';
import { TemporaryFolder, useStarted } from '@forecourt/testing/jest';
import type { SharedSystem, SystemOptions } from '@forecourt/testing/system';
import { makeLogFolder } from './make-log-folder.js';
import { startTestSystem, testOptions } from './start-test-system.js';
import { connectTestSystem, type TestSystem } from './test-system.js';

/** A system with a folder for files such as rules and tokens. */
export interface SystemWithFiles extends TestSystem {
  readonly files: TemporaryFolder;
}

type Options = SystemOptions | ((files: TemporaryFolder) => SystemOptions);

const chosen = (options: Options, files: TemporaryFolder): SystemOptions =>
  typeof options === 'function' ? options(files) : options;

/**
 * A system for all tests of a file or block. Options that depend on files are computed once their folder
 * exists.
 */
export function useSystem(options: Options = {}): SystemWithFiles {
  return useStarted(
    async () => {
      const files = new TemporaryFolder();
      try {
        return { ...(await startTestSystem(chosen(options, files))), files };
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

/** From the environment of the test files, `test-e2e/jest/system-environment.mjs`. */
declare const sharedSystem: SharedSystem;

/**
 * The system of this name, which test files use one after the other: the first of them starts it.
 * No file may depend on what another one has left: a file that changes the system permanently, or
 * needs one without history, starts one with `useSystem`.
 */
export function useSharedSystem(name: string, options: Options = {}): SystemWithFiles {
  return useStarted(
    async () => {
      let isNew = false;
      const system = await sharedSystem.use(name, () => {
        isNew = true;
        const logDir = makeLogFolder(name);
        const files = new TemporaryFolder(join(logDir, 'files'));
        return testOptions({ logDir, ...chosen(options, files) });
      });
      const files = new TemporaryFolder(join(system.logDir, 'files'));
      const test = await connectTestSystem(system);
      if (isNew) await test.untilFilled();
      return { ...test, files };
    },
    async (system) => {
      await system.control.clearFaults();
      await system.control.resetBehaviour();
      await system.endReservations();
      system.disconnect();
    },
  );
}
