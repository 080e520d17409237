import type { Signers } from '@forecourt/runtime/signers';

/** Whether a sponsor gives reservations: its key is configured, and it is not drained. */
export function isServing(
  keys: Pick<Signers, 'isConfigured'>,
  sponsor: string,
  isDrained: boolean,
): boolean {
  return keys.isConfigured(sponsor) && !isDrained;
}
