import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from './format.mjs';
import { codeBlocks } from './markdown.mjs';
import { runProgram } from './run-program.mjs';

/** Commands that need neither a running system nor a variable. All others are run by the tests of whole systems. */
const OFFLINE = /^npm run (access|token) -- ([^$]+)$/;

const PARSED = ['json', 'yaml', 'js', 'ts'];
/** Text without a language, trees of files (whose paths are checked as references) and diagrams. */
const UNPARSED = ['', 'tree', 'mermaid'];

/**
 * What is wrong with a page's code blocks. JSON, YAML, JavaScript, TypeScript and shell must parse, and
 * other languages are refused; commands that work offline are run, in a folder with the page's YAML blocks that have a file
 * name behind the language.
 */
export async function checkCodeBlocks(root, markdown) {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-docs-'));
  try {
    const blocks = codeBlocks(markdown);
    for (const { language, note, text } of blocks) {
      if (language === 'yaml' && note !== '') writeFileSync(join(folder, note), text);
    }
    const problems = [];
    for (const block of blocks) {
      for (const problem of await checkBlock(root, folder, block)) {
        problems.push(`${problem.trim()}\n  in: ${block.text.split('\n')[0]}`);
      }
    }
    return problems;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function checkBlock(root, folder, { language, text }) {
  if (language === 'bash') {
    const problems = await run('bash', ['-n', '-c', text]);
    return [...problems, ...(await runOffline(root, folder, text))];
  }
  if (UNPARSED.includes(language)) return [];
  if (!PARSED.includes(language)) {
    return [
      `Code blocks in ${language} are not checked: use bash, ${PARSED.join(', ')} or no language`,
    ];
  }
  try {
    await format(`example.${language}`, text);
    return [];
  } catch (error) {
    return [error.message];
  }
}

async function runOffline(root, folder, text) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const problems = [];
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const [, script, args] = OFFLINE.exec(line.trim()) ?? [];
    if (script === undefined) continue;
    const [, program] = scripts[script].split(' ');
    const options = { cwd: root, env: { ...process.env, INIT_CWD: folder } };
    problems.push(...(await run(process.execPath, [program, ...args.split(/\s+/)], options)));
  }
  return problems;
}

async function run(program, args, options = {}) {
  const { code, output } = await runProgram(program, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return code === 0 ? [] : [`${program} ${args.join(' ')} ended with ${code}: ${output}`];
}
