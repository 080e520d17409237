import type { Command } from 'commander';
import groups from './commands.json' with { type: 'json' };

type Groups = typeof groups;
type Name = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups];

/** The groups of the commands that exist in a clone only: title → name → what the command does. */
export { groups };

/**
 * Name → the function that gives a new command its options and its action. These modules are not in the bundle,
 * which has Commander's classes for itself, so they create nothing with these classes.
 */
export const loaders: Readonly<Record<Name, (command: Command) => Promise<Command>>> = {
  test: async (command) => (await import('./test-command.js')).testCommand(command),
  bench: async (command) => (await import('./measurements.js')).benchCommand(command),
  soak: async (command) => (await import('./measurements.js')).soakCommand(command),
  verify: async (command) => (await import('./measurements.js')).verifyCommand(command),
  example: async (command) => (await import('./example-command.js')).exampleCommand(command),
  docs: async (command) => (await import('./docs-command.js')).docsCommand(command),
  pack: async (command) => (await import('./pack-command.js')).packCommand(command),
  'pack-client': async (command) =>
    (await import('./pack-client-command.js')).packClientCommand(command),
  'pin-images': async (command) =>
    (await import('./pin-images-command.js')).pinImagesCommand(command),
  'api-types': async (command) => (await import('./measurements.js')).apiTypesCommand(command),
  'console-screenshots': async (command) =>
    (await import('./measurements.js')).screenshotsCommand(command),
};
