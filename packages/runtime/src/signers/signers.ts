import type { Signer } from '@forecourt/ledger';

/** Addresses of sponsors whose keys were added or removed. */
export interface SignersChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * The sponsors' signers of a process. A removed key pays for nothing new, but its signer stays until the
 * process ends, so that open work is finished.
 */
export class Signers {
  #configured: readonly Signer[] = [];
  readonly #known = new Map<string, Signer>();

  constructor(signers: readonly Signer[]) {
    this.replace(signers);
  }

  /** The configured keys, in the order of the configuration; the first one pays by default. */
  get configured(): readonly Signer[] {
    return this.#configured;
  }

  /** The configured keys, and those configured earlier in the life of this process. */
  get known(): readonly Signer[] {
    return [...this.#known.values()];
  }

  /** Signatures that key services make at the moment. */
  get inFlight(): number {
    return this.known.reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  /** The signer of a sponsor with a known key. */
  find(address: string): Signer | undefined {
    return this.#known.get(address);
  }

  isConfigured(address: string): boolean {
    return this.#configured.some((signer) => signer.address === address);
  }

  /** Where the key of a sponsor is, and whether it signs; null without a configured key. */
  describe(address: string): { readonly kinds: readonly string[]; readonly signs: boolean } | null {
    const signer = this.#configured.find((one) => one.address === address);
    return signer ? { kinds: signer.kinds, signs: signer.outageMs === null } : null;
  }

  /** Replaces the configured keys. A duplicate key counts once. */
  replace(signers: readonly Signer[]): SignersChange {
    const before = new Set(this.#configured.map(({ address }) => address));
    const after = new Map(signers.map((signer) => [signer.address, signer]));
    this.#configured = [...after.values()];
    // A key may have moved from this process to a service.
    for (const [address, signer] of after) this.#known.set(address, signer);
    return {
      added: [...after.keys()].filter((address) => !before.has(address)),
      removed: [...before].filter((address) => !after.has(address)),
    };
  }
}
