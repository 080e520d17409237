import type { Environment } from '@forecourt/runtime/config';

/** The environment of services whose messages stay in this process: they need no secret. */
export const environment: Environment = { ...process.env, ALLOW_UNAUTHENTICATED_FLEET: 'true' };

/** History is kept where there is a database for it. */
export const keepsHistory = Boolean(
  environment['DATABASE_URL'] || environment['DATABASE_URL_FILE'],
);
