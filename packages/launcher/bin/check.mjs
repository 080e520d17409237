#!/usr/bin/env node
import { checkDocs } from './check-docs.mjs';
import { checkGlossary } from './check-glossary.mjs';
import { checkPhrases } from './check-phrases.mjs';
import { prepare, runTurbo } from './prepare.mjs';
import { runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';
import { runProgram } from './run-program.mjs';

const HELP = `npm run check

Checks types, lint, formatting, imports, documentation and terms. Ends with 1 if a check failed.`;

/** Runs all checks, shows the output of each failed one, and ends with 1 if any failed. */
await runCommand(async () => {
  if (readOptions(HELP, {}) === null) return 0;
  const { root, env } = await prepare({ redis: false });
  // Checking the types of everything at once takes more memory than Node's default.
  const roomy = { ...env, NODE_OPTIONS: '--max-old-space-size=6144' };
  const tool = (program, ...args) =>
    runProgram(program, args, { cwd: root, env: roomy, stdio: ['ignore', 'pipe', 'pipe'] });
  const checks = [
    ['types, tests included', () => runTurbo('typecheck', env)],
    ['lint', () => tool('eslint', '.', '--max-warnings=0')],
    ['formatting', () => tool('prettier', '--check', '--log-level=warn', '.')],
    [
      'imports (cycles, apps, layers)',
      () =>
        tool(
          'depcruise',
          '--config',
          '.dependency-cruiser.cjs',
          'apps',
          'packages',
          'test-e2e',
          'docs/examples',
        ),
    ],
    ['documentation (links, paths, code blocks, configuration page)', () => checkDocs(root)],
    ['terms (docs/glossary.md)', () => checkGlossary(root)],
    ['plain English', () => checkPhrases(root)],
  ];
  let failed = 0;
  for (const [name, run] of checks) {
    const before = Date.now();
    const { code, output, interrupted } = await run();
    if (interrupted) return code;
    const seconds = ((Date.now() - before) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)\n`);
    if (code === 0) continue;
    failed += 1;
    process.stdout.write(`${output.trimEnd().replace(/^/gm, '    ')}\n`);
  }
  process.stdout.write(`${checks.length - failed} checks passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
});
