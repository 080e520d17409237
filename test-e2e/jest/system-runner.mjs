import { readFileSync } from 'node:fs';
import JestRunner from 'jest-runner';

/** A test file names the system that it shares by importing its definition. */
const SHARED_SYSTEM = /from '[./]+\/support\/systems\/([\w-]+)\.js'/;

/**
 * Runs the files that share a system one after the other in one process, which starts the system once. All
 * other files run independently. `--maxWorkers` limits the number of processes.
 */
export default class SystemRunner extends JestRunner {
  #processes;

  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
    this.#processes = globalConfig.maxWorkers;
  }

  async runTests(tests, watcher, options) {
    const all = [...Map.groupBy(tests, ({ path }) => sharedSystem(path) ?? path).values()];
    // Every process inherits it, whenever it starts, and stops its system after the last file that uses it.
    process.env.LAST_FILES_OF_SYSTEMS = JSON.stringify(all.map((group) => group.at(-1).path));
    const groups = all.values();
    const runGroups = async () => {
      for (const group of groups) await super.runTests(group, watcher, options);
    };
    const processes = options.serial ? 1 : this.#processes;
    await Promise.all(Array.from({ length: processes }, runGroups));
  }
}

function sharedSystem(path) {
  return SHARED_SYSTEM.exec(readFileSync(path, 'utf8'))?.[1];
}
