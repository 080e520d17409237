import { ForecourtError } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';

/** A user's token serves for the transactions of that user alone. Throws FORBIDDEN. */
export function requireOwnSender({ sender }: Pick<Caller, 'sender'>, actual: string): void {
  if (sender === null || sender === actual) return;
  throw new ForecourtError('FORBIDDEN', `Token is for transactions of ${sender} only`);
}
