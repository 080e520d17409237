import { type Signer, SigningFailed } from '@forecourt/ledger';

/**
 * Signs with a key that several places hold. It uses the first that can sign, and turns to the next when that
 * one fails.
 */
export class SharedSigner implements Signer {
  readonly address: string;
  readonly kinds;

  /** In order of preference; all have the same address. */
  constructor(private readonly signers: readonly [Signer, ...Signer[]]) {
    this.address = signers[0].address;
    this.kinds = signers.flatMap(({ kinds }) => kinds);
  }

  get outageMs(): number | null {
    const outages = this.signers.map(({ outageMs }) => outageMs);
    return outages.includes(null) ? null : Math.min(...outages.map(Number));
  }

  get inFlight(): number {
    return this.signers.reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  async signTransaction(bytes: Uint8Array): Promise<string> {
    let failure: unknown;
    const isOut = ({ outageMs }: Signer) => outageMs !== null;
    const ordered = [...this.signers.filter((one) => !isOut(one)), ...this.signers.filter(isOut)];
    for (const signer of ordered) {
      try {
        return await signer.signTransaction(bytes);
      } catch (error) {
        if (!(error instanceof SigningFailed)) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }

  async check(idleMs?: number): Promise<void> {
    const results = await Promise.allSettled(this.signers.map((signer) => signer.check(idleMs)));
    const failed = results.filter((result) => result.status === 'rejected');
    if (failed.length === results.length) throw failed[0]!.reason;
  }
}
