import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { formatResultsErrors } from 'jest-message-util';
import JestRunner from 'jest-runner';

/** So many files at most: the groups of a large workspace run side by side. */
const LARGEST = 30;
/** `apps/gateway`. */
const WORKSPACE = /^(?:apps|packages|docs|test-e2e)\/[^/]+/;

/**
 * Runs the files of a workspace in groups, and reports each file as if it had run alone. Jest loads every
 * module anew for each file that it runs, which takes longer than most unit tests; here it does so for each
 * group.
 */
export default class GroupRunner extends JestRunner {
  #config;
  /** The path of a group → the tests in it. */
  #groups = new Map();

  constructor(globalConfig, context) {
    super(globalConfig, context);
    this.#config = globalConfig;
  }

  on(name, listener) {
    const each = (report) =>
      super.on(name, async ([{ path }, ...rest]) => {
        const group = this.#groups.get(path);
        for (const test of group) await listener(report(test, ...rest, group));
      });
    switch (name) {
      case 'test-file-start':
        return each((test) => [test]);
      case 'test-file-failure':
        return each((test, error) => [test, error]);
      case 'test-file-success':
        return each((test, result, group) => [test, this.#resultOf(test, result, group)]);
      default:
        return super.on(name, listener);
    }
  }

  async runTests(tests, watcher, options) {
    const parent = join(this.#config.rootDir, '.data');
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, 'test-groups-'));
    try {
      const groups = formGroups(tests, this.#config.rootDir).map((group, index) => {
        const path = join(folder, `${index}.test.mjs`);
        writeFileSync(path, group.map((test) => importOf(test, this.#config.rootDir)).join(''));
        this.#groups.set(path, group);
        return { ...group[0], path };
      });
      await super.runTests(groups, watcher, options);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** The part of a group's result that belongs to one of its files. Throws rather than lose a test. */
  #resultOf({ path, context }, result, group) {
    const { rootDir } = this.#config;
    const files = new Set(group.map((test) => nameOf(test.path, rootDir)));
    const results = Map.groupBy(result.testResults, ({ ancestorTitles: [block] }) => block);
    const stray = [...results.keys()].find((block) => !files.has(block));
    if (stray !== undefined) throw new Error(`The test ${stray} belongs to no file`);
    const own = (results.get(nameOf(path, rootDir)) ?? []).map(
      ({ ancestorTitles: [, ...titles], title, ...rest }) => {
        return { ...rest, title, ancestorTitles: titles, fullName: [...titles, title].join(' ') };
      },
    );
    const count = (status) => own.filter((one) => one.status === status).length;
    const took = own.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
    const { start } = result.perfStats;
    return {
      ...result,
      testFilePath: path,
      testResults: own,
      numPassingTests: count('passed'),
      numFailingTests: count('failed'),
      numPendingTests: count('pending'),
      numTodoTests: count('todo'),
      perfStats: { ...result.perfStats, runtime: took, end: start + took },
      // An error outside of all tests concerns every file.
      failureMessage: result.testExecError
        ? result.failureMessage
        : formatResultsErrors(own, context.config, this.#config, path),
    };
  }
}

/** The first tests of a workspace, which are the longest, come into different groups. */
function formGroups(tests, root) {
  const workspaces = Map.groupBy(tests, ({ path }) => WORKSPACE.exec(nameOf(path, root))?.[0]);
  return [...workspaces.values()].flatMap((all) => {
    const count = Math.ceil(all.length / LARGEST);
    return Array.from({ length: count }, (_, first) =>
      all.filter((_test, at) => at % count === first),
    );
  });
}

function importOf({ path }, root) {
  const [name, file] = [nameOf(path, root), path].map((text) => JSON.stringify(text));
  return `await describeFile(${name}, () => import(${file}));\n`;
}

function nameOf(path, root) {
  return relative(root, path).replaceAll(sep, '/');
}
