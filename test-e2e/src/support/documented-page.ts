import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { ROOT } from '@forecourt/testing/system';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { likeDocumented } from './documented-examples.js';
import { atAddresses } from './documented-program.js';
import type { TestSystem } from './test-system.js';

/**
 * A file that a page has its readers save, or commands that it has them run, with the answer that it shows.
 */
type PageStep =
  | { readonly file: string; readonly text: string }
  | { readonly commands: string; readonly answer?: unknown };

const BLOCK = /^```(\w+)(?: ([\w.-]+))?\n([\s\S]*?)^```$/gm;
const SAVED_AS = /\b[Ss]ave this [^\n]*?`([\w.-]+)`[^\n]*\n\n$/;
const ANSWER = /^\n\n```json\n([\s\S]*?)^```$/m;
/** A request without them may be repeated until its answer is there: history is written a moment later. */
const SENDS = / -[dX] /;

/** Files that readers in a clone have. */
const FIRST_TRANSACTION = 'docs/examples/first-transaction.mjs';

const execute = promisify(execFile);

/**
 * The blocks of a page that a reader saves and runs, from top to bottom. Throws if a request is not followed
 * by its answer.
 */
function readPage(page: string): readonly PageStep[] {
  return [...page.matchAll(BLOCK)].flatMap((block): PageStep[] => {
    const [all, language, name, text] = block;
    const file = name ?? SAVED_AS.exec(page.slice(0, block.index))?.[1];
    if (file !== undefined) return [{ file, text: text! }];
    if (language !== 'bash') return [];
    const commands = text!.trim();
    const after = page.slice(block.index + all.length);
    const answer = after.startsWith('\n\n```json\n') ? ANSWER.exec(after)?.[1] : undefined;
    if (answer !== undefined) return [{ commands, answer: JSON.parse(answer) as unknown }];
    if (commands.startsWith('curl ')) throw new Error(`no answer follows ${commands}`);
    return [{ commands }];
  });
}

interface Reader {
  /** The variables that readers have set before they begin. */
  readonly variables: () => Readonly<Record<string, string>>;
  /** Placeholders in texts and answers that a reader replaces. */
  readonly adapt?: (text: string) => string;
}

/**
 * A test for each step of a page, which does it as a reader would: from top to bottom, beside `npm start`, in
 * one shell and an empty folder that has nothing but the programs of the clone.
 */
export function walkPage(page: string, system: TestSystem, reader: Reader): void {
  const folder = new TemporaryFolder();
  const adapt = reader.adapt ?? ((text) => text);
  const here = (text: string) => adapt(atAddresses(text, system.application.url, system.ledgerUrl));

  beforeAll(() => {
    for (const name of ['node_modules', 'apps', 'packages', 'package.json']) {
      symlinkSync(join(ROOT, name), folder.pathOf(name));
    }
    mkdirSync(folder.pathOf('docs/examples'), { recursive: true });
    folder.write(FIRST_TRANSACTION, here(readFileSync(join(ROOT, FIRST_TRANSACTION), 'utf8')));
    folder.write('variables', '');
  });
  afterAll(() => folder.remove());

  const run = async (commands: string): Promise<string> => {
    const script = `set -eu\n. ./variables\n${here(commands)}\nexport -p > variables`;
    const { stdout } = await execute('bash', ['-c', script], {
      cwd: folder.path,
      env: { ...process.env, NODE_OPTIONS: '', ...reader.variables() },
    });
    return stdout;
  };

  for (const step of readPage(page)) {
    if ('file' in step) {
      it(`saves ${step.file}`, () => void folder.write(step.file, here(step.text)));
      continue;
    }
    const { commands, answer: documented } = step;
    it(`runs ${commands}`, async () => {
      if (documented === undefined) return void (await run(commands));
      const expected = likeDocumented(JSON.parse(adapt(JSON.stringify(documented))));
      const isAnswered = async () => {
        expect(JSON.parse(await run(commands))).toEqual(expected);
        return true;
      };
      if (!SENDS.test(commands)) {
        await system.until(() => isAnswered().catch(() => false)).catch(() => undefined);
      }
      await isAnswered();
    });
  }
}
