import { ForecourtError } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';

/** A user's token is valid for that user's transactions only. Throws FORBIDDEN for another sender. */
export function requireOwnSender({ sender }: Pick<Caller, 'sender'>, actual: string): void {
  if (sender === null || sender === actual) return;
  throw new ForecourtError('FORBIDDEN', `Token is for transactions of ${sender} only`);
}
