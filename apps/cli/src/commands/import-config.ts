import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeSecret } from '@forecourt/resilience/files';
import { Command } from 'commander';
import { findMistakes } from '../import-config/find-mistakes.js';
import { importSettings, writeEnvironment } from '../import-config/import-settings.js';
import { nameSponsor } from '../import-config/name-sponsor.js';

/** `import-config`: turns a configuration of IOTA's gas station into environment variables. */
export function importConfigCommand(): Command {
  return new Command('import-config')
    .argument('<config.yaml>', 'a complete configuration of IOTA’s gas station')
    .option(
      '--output <file>',
      'the file to write, readable by its owner only since it holds keys; default: standard output',
    )
    .addHelpText(
      'after',
      `
Reads signer, node, Redis, ports, coin balance and limits. It asks a sidecar for the sponsor's address. The access rules are used as they are: the file becomes
ACCESS_RULES_FILE. Comments at the top name the settings without a counterpart.

Exit code 0: done; 2: the file cannot be read, holds an unknown setting, or one with which services would not start.`,
    )
    .action(async (file: string, { output }: { readonly output?: string }) => {
      const settings = importSettings(readFileSync(file, 'utf8'), resolve(file));
      const imported = await nameSponsor(settings);
      const mistakes = await findMistakes(imported);
      if (mistakes.length > 0) {
        throw new Error(
          `Nothing is written: services would not start\n  - ${mistakes.join('\n  - ')}`,
        );
      }
      const text = writeEnvironment(imported);
      if (output === undefined) return void process.stdout.write(text);
      writeSecret(output, text);
      for (const remark of imported.remarks) console.error(`note: ${remark}`);
      console.error(`${imported.variables.size} settings written to ${output}`);
    });
}
