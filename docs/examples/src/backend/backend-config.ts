import type { BackendOptions } from './create-backend.js';

export interface BackendConfig extends BackendOptions {
  readonly port: number;
}

/** Reads the environment. Throws `Error` naming a variable that is missing. */
export function readBackendConfig(env: NodeJS.ProcessEnv = process.env): BackendConfig {
  const required = (name: string) => {
    const value = env[name];
    if (!value) throw new Error(`${name} is not set`);
    return value;
  };
  return {
    gasStationUrl: required('FORECOURT_URL'),
    token: required('FORECOURT_TOKEN'),
    port: Number(env['EXAMPLE_BACKEND_PORT'] ?? 5174),
  };
}
