import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { importSettings } from './import-config/import-settings.js';
import { writeEnvironment } from './import-config/write-environment.js';
import { EXIT } from './terminal/exit-codes.js';
import { readOptions } from './terminal/read-options.js';
import { runMain } from './terminal/run-main.js';

const HELP = `npm run import-config -- <config.yaml> [--output <file>]

Turns a complete configuration of IOTA's gas station into environment variables: signer, node, Redis, ports, coin
balance, limits. Its access rules are used as they are: the file becomes ACCESS_RULES_FILE. What has no counterpart is
named in comments at the top.

  --output  the file to write, readable by its owner only since it holds keys; default: stdout

Exit code 0: done; 2: the file cannot be read, or holds a setting that is not known.`;

const OWNER_ONLY = 0o600;

function main(): number {
  const options = readOptions(HELP, { output: { type: 'string' } }, 1);
  if (options === null) return EXIT.ok;
  const { values } = options;
  const [file] = options.positionals;
  if (file === undefined) throw new Error(`The file is missing\n\n${HELP}`);
  const imported = importSettings(readFileSync(file, 'utf8'), resolve(file));
  const text = writeEnvironment(imported);
  if (values.output === undefined) {
    process.stdout.write(text);
    return EXIT.ok;
  }
  writeFileSync(values.output, text, { mode: OWNER_ONLY });
  for (const remark of imported.remarks) console.error(`note: ${remark}`);
  console.error(`${imported.variables.size} settings written to ${values.output}`);
  return EXIT.ok;
}

await runMain(main);
