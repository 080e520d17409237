import { createHash } from 'node:crypto';
import type { Application } from './application.js';

const tokenOf = (name: string) => `${name}-token`;

/** What the file holds of a token. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** A caller's entry in the file that TOKENS_FILE names: the role of a sponsor unless `lines` say something else. */
export function tokenEntry(name: string, lines = ['role: sponsor'], token = tokenOf(name)): string {
  return [`  - name: ${name}`, `hash: ${hashOf(token)}`, ...lines].join('\n    ');
}

/** The text of that file. */
export function tokensFile(...entries: readonly string[]): string {
  return `tokens:\n${entries.join('\n')}\n`;
}

/** The application of a caller with an entry of their own. */
export function applicationOf(name: string, at: Application): Application {
  return { ...at, token: tokenOf(name) };
}
