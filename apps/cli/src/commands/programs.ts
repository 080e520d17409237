import { Command } from 'commander';

/** Programs that read their arguments themselves, and also run alone: the name, what it does, and how it is loaded. */
const PROGRAMS: readonly (readonly [string, string, () => Promise<unknown>])[] = [
  ['audit', 'compare the pool with the ledger', () => import('../audit.js')],
  ['access', 'check access rules, or explain what they decide', () => import('../access.js')],
  ['doctor', 'what a ledger node can do for this service', () => import('../doctor.js')],
  ['token', 'make a token, or a key for tokens of users', () => import('../token.js')],
  [
    'import-config',
    'turn a configuration of IOTA’s gas station into environment variables',
    () => import('../import-config.js'),
  ],
];

export function programCommands(): Command[] {
  return PROGRAMS.map(([name, description, load]) =>
    new Command(name)
      .description(description)
      .argument('[arguments...]')
      .allowUnknownOption()
      .action(async () => {
        // They read their arguments themselves.
        process.argv.splice(2, 1);
        await load();
      }),
  );
}
