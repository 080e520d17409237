import { ForecourtError } from '@forecourt/contracts';

/** What Redis answers. Throws STORE_UNREACHABLE when it does not answer. */
export async function orStoreUnreachable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new ForecourtError('STORE_UNREACHABLE', '', { cause });
  }
}
