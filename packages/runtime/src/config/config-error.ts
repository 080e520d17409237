/** An invalid configuration: every problem, with the name of its variable. Never contains a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((one) => `  - ${one}`).join('\n')}`);
  }
}
