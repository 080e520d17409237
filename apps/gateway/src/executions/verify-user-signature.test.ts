import { describe, expect, it } from '@jest/globals';
import type { ForecourtError } from '@forecourt/contracts';
import { VerifyUserSignature } from './verify-user-signature.js';

const ED25519 = Buffer.from([0, 1, 2]).toString('base64');
/** With ten members. */
const MULTISIG = Buffer.from([3, 10, 2]).toString('base64');

describe('the verification of users’ signatures', () => {
  it('is bounded for a caller with many that are slow to verify, and for nobody else', async () => {
    let verified = 0;
    const verify = new VerifyUserSignature({
      verifyTransactionSignature: async () => ++verified > 0,
      unsupportedSignature: () => null,
    });
    const outcome = (caller: string, signature: string) =>
      verify.run(caller, { sender: '0x1' } as never, signature).then(
        () => 'verified',
        ({ code }: ForecourtError) => code,
      );
    const slow = [];
    for (let count = 0; count < 102; count++) slow.push(await outcome('shop', MULTISIG));
    expect(slow.filter((one) => one === 'verified')).toHaveLength(100);
    expect(slow.at(-1)).toBe('OVERLOADED');
    expect(verified).toBe(100);
    expect(await outcome('shop', ED25519)).toBe('verified');
    expect(await outcome('other', MULTISIG)).toBe('verified');
  });
});
