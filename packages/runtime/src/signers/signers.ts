import type { Signer } from '@forecourt/ledger';

/** Addresses of sponsors whose keys have come or gone. */
export interface SignersChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * The sponsors' signers of a process. A key that is taken out of the configuration pays for nothing new, but its signer
 * stays until the process ends, so that open work is finished.
 */
export class Signers {
  #configured: readonly Signer[] = [];
  readonly #known = new Map<string, Signer>();

  constructor(signers: readonly Signer[]) {
    this.replace(signers);
  }

  /** Whose keys are configured now, in the order of the configuration; the first one pays by default. */
  get configured(): readonly Signer[] {
    return this.#configured;
  }

  /** Those that are configured, and those that were since this process started. */
  get known(): readonly Signer[] {
    return [...this.#known.values()];
  }

  /** Of a sponsor whose key is known. */
  find(address: string): Signer | undefined {
    return this.#known.get(address);
  }

  isConfigured(address: string): boolean {
    return this.#configured.some((signer) => signer.address === address);
  }

  /** Takes these instead of those configured before. A key that is given twice counts once. */
  replace(signers: readonly Signer[]): SignersChange {
    const before = new Set(this.#configured.map(({ address }) => address));
    const after = new Map(signers.map((signer) => [signer.address, signer]));
    this.#configured = [...after.values()];
    for (const [address, signer] of after) {
      if (!this.#known.has(address)) this.#known.set(address, signer);
    }
    return {
      added: [...after.keys()].filter((address) => !before.has(address)),
      removed: [...before].filter((address) => !after.has(address)),
    };
  }
}
