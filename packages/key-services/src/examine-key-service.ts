import { buildProbe, transactionIntentDigest } from '@forecourt/ledger';
import type { ServiceEntry } from './key-service.js';
import { openKeyService } from './key-service-kinds.js';

/** One answer of a key service, and what it means. */
export interface KeyFinding {
  readonly subject: string;
  readonly answer: string;
  readonly verdict: 'fine' | 'missing';
}

const SIGNATURES = 5;

/** The address of the sponsor whose key a service holds. Throws `KeyServiceError`. */
export async function readKeyAddress(entry: ServiceEntry): Promise<string> {
  const service = await openKeyService(entry);
  return service.readAddress(AbortSignal.timeout(entry.timeoutMs));
}

/**
 * Examines a key service end to end: reachable, the configured key, signatures that verify, and their time.
 */
export async function* examineKeyService(entry: ServiceEntry): AsyncGenerator<KeyFinding> {
  const within = () => AbortSignal.timeout(entry.timeoutMs);
  try {
    const service = await openKeyService(entry);
    const address = await service.readAddress(within());
    if (entry.address === null) {
      yield {
        subject: 'address',
        answer: `${address}; add address=${address} to the entry`,
        verdict: 'fine',
      };
    } else {
      const isOwn = address === entry.address;
      const answer = isOwn ? address : `${address}, but the entry names ${entry.address}`;
      yield { subject: 'address', answer, verdict: isOwn ? 'fine' : 'missing' };
      if (!isOwn) return;
    }
    const bytes = await buildProbe(address);
    const digest = transactionIntentDigest(bytes);
    const times: number[] = [];
    for (let round = 0; round < SIGNATURES; round++) {
      const beganAt = performance.now();
      const { key, signature } = await service.sign({ bytes, digest }, within());
      times.push(performance.now() - beganAt);
      const fault = key.address === address ? key.findFault(digest, signature) : 'wrong_key';
      if (fault !== null) {
        yield { subject: 'signature', answer: fault, verdict: 'missing' };
        return;
      }
    }
    const median = times.sort((a, b) => a - b)[Math.floor(SIGNATURES / 2)]!;
    yield { subject: 'signature', answer: `verifies; ${median.toFixed(0)} ms`, verdict: 'fine' };
  } catch (error) {
    yield { subject: 'answer', answer: (error as Error).message, verdict: 'missing' };
  }
}
