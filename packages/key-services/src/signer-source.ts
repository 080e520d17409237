import { createHash } from 'node:crypto';
import type { Signer } from '@forecourt/ledger';
import { type KeyEntry, parseKeyEntries } from './key-entries.js';
import { openKeyService } from './key-service-kinds.js';
import { RemoteSigner } from './signing/remote-signer.js';
import { SharedSigner } from './signing/shared-signer.js';
import type { SignerObserver } from './signing/signer-observer.js';

/** Requests for one signature to the only place of its key. */
const ATTEMPTS = 4;

/**
 * Makes signers of the entries of SPONSOR_KEYS. An unchanged entry keeps its signer, with its connections.
 */
export class SignerSource {
  readonly #kept = new Map<string, Signer>();

  constructor(private readonly observer: SignerObserver) {}

  /** One signer for each sponsor, in the order of their first entries. Throws as `parseKeyEntries`. */
  read(texts: readonly string[]): readonly Signer[] {
    const entries = parseKeyEntries(texts);
    const places = Map.groupBy(
      entries.map((entry, index) => ({ entry, text: texts[index]! })),
      ({ entry }) => addressOf(entry),
    );
    return [...places.values()].map((ofOne) => {
      const [only, ...others] = [...new Map(ofOne.map((one) => [one.text, one])).values()].map(
        ({ entry, text }, _index, all) => this.signerOf(entry, text, all.length === 1),
      );
      return others.length === 0 ? only! : new SharedSigner([only!, ...others]);
    });
  }

  private signerOf(entry: KeyEntry, text: string, isOnly: boolean): Signer {
    if ('signer' in entry) return entry.signer;
    const id = createHash('sha256').update(`${isOnly} ${text}`).digest('base64');
    const signer =
      this.#kept.get(id) ??
      new RemoteSigner({
        entry: { ...entry, address: addressOf(entry) },
        open: () => openKeyService(entry),
        attempts: isOnly ? ATTEMPTS : 1,
        observer: this.observer,
      });
    this.#kept.set(id, signer);
    return signer;
  }
}

function addressOf(entry: KeyEntry): string {
  return 'signer' in entry ? entry.signer.address : entry.address!;
}
