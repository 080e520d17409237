import type { Keypair } from '@iota/iota-sdk/cryptography';
import { buildProbe } from './iota/transactions/build-transactions.js';
import type { Signer } from './signer.js';

export class SdkSigner implements Signer {
  readonly address: string;
  readonly kinds = ['local'] as const;
  readonly outageMs = null;
  readonly inFlight = 0;
  readonly #keypair: Keypair;

  constructor(keypair: Keypair) {
    this.#keypair = keypair;
    this.address = keypair.toIotaAddress();
  }

  async signTransaction(bytes: Uint8Array): Promise<string> {
    return (await this.#keypair.signTransaction(bytes)).signature;
  }

  async check(): Promise<void> {
    await this.signTransaction(await buildProbe(this.address));
  }
}
