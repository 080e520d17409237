import type { Environment } from '@forecourt/runtime/config';

/** The environment of services whose messages stay in this process: they need no secret. */
export const environment: Environment = { ...process.env, ALLOW_UNAUTHENTICATED_FLEET: 'true' };
