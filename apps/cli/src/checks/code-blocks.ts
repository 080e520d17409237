import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Code, Root } from 'mdast';
import { format, resolveConfig } from 'prettier';
import { visit } from 'unist-util-visit';
import type { VFile } from 'vfile';
import { runProgram } from '../workspace/run-program.js';
import { ROOT } from '../workspace/workspace-config.js';

/** Commands that need neither a running system nor a variable. The tests of whole systems run all others. */
const OFFLINE = /^npm run ((?:access|token) -- [^$]+)$/;
const COMMAND_LINE = join(ROOT, 'apps', 'cli', 'dist', 'forecourt.js');

const PARSED = ['json', 'yaml', 'js', 'ts'];
/** Trees of files, whose paths are checked as references, and diagrams. */
const UNPARSED = ['tree', 'mermaid'];

/**
 * A remark plugin that reports code blocks with a fault. JSON, YAML, JavaScript, TypeScript and shell must
 * parse, and other languages are refused. Commands that work offline are run, in a folder with the page's
 * YAML blocks that have a file name behind the language.
 */
export function checkCodeBlocks() {
  return async (tree: Root, page: VFile): Promise<void> => {
    const blocks: Code[] = [];
    visit(tree, 'code', (block) => void blocks.push(block));
    const folder = mkdtempSync(join(tmpdir(), 'forecourt-docs-'));
    try {
      for (const { lang, meta, value } of blocks) {
        if (lang === 'yaml' && meta) writeFileSync(join(folder, meta), value);
      }
      for (const block of blocks) {
        for (const fault of await findFaults(block, folder)) page.message(fault, block);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
}

async function findFaults({ lang, value }: Code, folder: string): Promise<string[]> {
  if (lang === 'bash') {
    const faults = await run('bash', ['-n', '-c', value]);
    return faults.length > 0 ? faults : runOffline(value, folder);
  }
  if (!lang || UNPARSED.includes(lang)) return [];
  if (!PARSED.includes(lang)) {
    return [
      `Code blocks in ${lang} are not checked: use bash, ${PARSED.join(', ')} or no language`,
    ];
  }
  try {
    const filepath = join(ROOT, `example.${lang}`);
    await format(value, { ...(await resolveConfig(filepath)), filepath });
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

async function runOffline(script: string, folder: string): Promise<string[]> {
  const faults: string[] = [];
  for (const line of script.replaceAll('\\\n', ' ').split('\n')) {
    const [, command] = OFFLINE.exec(line.trim()) ?? [];
    if (command === undefined) continue;
    const args = command.replace(' -- ', ' ').split(/\s+/);
    faults.push(...(await run(process.execPath, [COMMAND_LINE, ...args], folder)));
  }
  return faults;
}

async function run(program: string, args: readonly string[], cwd = ROOT): Promise<string[]> {
  const { code, output } = await runProgram(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return code === 0 ? [] : [`${args.join(' ')} ended with ${code}: ${output}`];
}
