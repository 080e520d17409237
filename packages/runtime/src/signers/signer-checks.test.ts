import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Signer } from '@forecourt/ledger';
import { Signers } from './signers.js';
import { SignerChecks } from './signer-checks.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A signer whose checks end when `answer` says so, and the idle times with which it was checked. */
function aSigner(answer: () => Promise<void>, ...kinds: string[]) {
  const checks: (number | undefined)[] = [];
  const signer: Signer = {
    address: kinds.join(),
    kinds,
    outageMs: null,
    inFlight: 0,
    signTransaction: () => Promise.reject(new Error('not expected')),
    check(idleMs) {
      checks.push(idleMs);
      return answer();
    },
  };
  return { signer, checks };
}

describe('checks of key services', () => {
  it('let a service sign that was idle for a minute, one check at a time, and no local key', async () => {
    const hanging = Promise.withResolvers<void>();
    const local = aSigner(async () => undefined, 'local');
    const failing = aSigner(() => Promise.reject(new Error('no')), 'vault');
    const slow = aSigner(() => hanging.promise, 'sidecar', 'local');
    const checks = new SignerChecks(new Signers([local.signer, failing.signer, slow.signer]));
    checks.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(local.checks).toEqual([]);
    expect(failing.checks).toEqual([60_000, 60_000, 60_000, 60_000]);
    expect(slow.checks).toEqual([60_000]);
    hanging.resolve();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(slow.checks).toEqual([60_000, 60_000]);
    checks.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(slow.checks).toHaveLength(2);
  });
});
