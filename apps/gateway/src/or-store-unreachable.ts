import { ForecourtError } from '@forecourt/contracts';

/** Passes on the answer of Redis. Throws STORE_UNREACHABLE when Redis does not answer. */
export async function orStoreUnreachable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new ForecourtError('STORE_UNREACHABLE', '', { cause });
  }
}
