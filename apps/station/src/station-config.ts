import { type Environment, USUAL_HISTORY_BACKLOG } from '@forecourt/runtime/config';

/** History is kept where there is a database for it. */
export const keepsHistory = Boolean(
  process.env['DATABASE_URL'] || process.env['DATABASE_URL_FILE'],
);

/**
 * The environment of services whose messages stay in this process: they need no secret, and coin-pools know
 * of history.
 */
export const environment: Environment = {
  ...(keepsHistory && { HISTORY_BACKLOG: String(USUAL_HISTORY_BACKLOG) }),
  ...process.env,
  ALLOW_UNAUTHENTICATED_FLEET: 'true',
};
