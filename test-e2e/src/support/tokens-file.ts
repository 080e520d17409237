import { createHash } from 'node:crypto';
import type { Application } from './application.js';

const tokenOf = (name: string) => `${name}-token`;

/** The file contains this hash instead of the token. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/**
 * A caller's entry in the file that TOKENS_FILE names, with the role of a sponsor unless `lines` override it.
 */
export function tokenEntry(name: string, lines = ['role: sponsor'], token = tokenOf(name)): string {
  return [`  - name: ${name}`, `hash: ${hashOf(token)}`, ...lines].join('\n    ');
}

/** The complete text of the file. */
export function tokensFile(...entries: readonly string[]): string {
  return `tokens:\n${entries.join('\n')}\n`;
}

/** The application of a caller with a separate entry. */
export function applicationOf(name: string, application: Application): Application {
  return { ...application, token: tokenOf(name) };
}
