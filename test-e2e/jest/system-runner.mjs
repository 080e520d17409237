import { readFileSync } from 'node:fs';
import JestRunner from 'jest-runner';

/** A test file names the system that it shares by importing its definition. */
const SHARED_SYSTEM = /from '[./]+\/support\/systems\/([\w-]+)\.js'/;

/**
 * Runs the files that share a system one after the other in one process, which starts the system once. All other files
 * run independently. `--maxWorkers` limits the number of processes.
 */
export default class SystemRunner extends JestRunner {
  #processes;

  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
    this.#processes = globalConfig.maxWorkers;
  }

  async runTests(tests, watcher, options) {
    const groups = Map.groupBy(tests, ({ path }) => sharedSystem(path) ?? path).values();
    const runGroups = async () => {
      for (const group of groups) {
        // The process inherits it, so that it stops the system after this file.
        process.env.LAST_FILE_OF_SYSTEM = group.at(-1).path;
        await super.runTests(group, watcher, options);
      }
    };
    const processes = options.serial ? 1 : this.#processes;
    await Promise.all(Array.from({ length: processes }, runGroups));
  }
}

function sharedSystem(path) {
  return SHARED_SYSTEM.exec(readFileSync(path, 'utf8'))?.[1];
}
