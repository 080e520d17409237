import type { Viewer } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';

const ALL: Viewer = { token: null, user: null };

/**
 * Whose records a caller may see: operators and auditors all, others those of their token, users only their
 * own.
 */
export function viewerOf({ roles, token, sender }: Caller): Viewer {
  return roles.has('operator') || roles.has('auditor') ? ALL : { token, user: sender };
}

/**
 * The records that a caller may change: operators all, others those of their token. Being an auditor adds
 * nothing.
 */
export function actorOf({ roles, token, sender }: Caller): Viewer {
  return roles.has('operator') ? ALL : { token, user: sender };
}
