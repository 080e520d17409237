import { SharedSystem } from '@forecourt/testing/system';
import { TestEnvironment } from 'jest-environment-node';

/** Outlives the test file, like everything outside the environment of a file. */
const sharedSystem = new SharedSystem();

/** Gives the test files of one process the same system. */
export default class SystemEnvironment extends TestEnvironment {
  #path;

  constructor(config, context) {
    super(config, context);
    this.#path = context.testPath;
  }

  async setup() {
    await super.setup();
    this.global.sharedSystem = sharedSystem;
  }

  async teardown() {
    // Jest empties the global object.
    delete this.global.sharedSystem;
    const lastFiles = JSON.parse(process.env.LAST_FILES_OF_SYSTEMS);
    if (lastFiles.includes(this.#path)) await sharedSystem.stop();
    await super.teardown();
  }
}
