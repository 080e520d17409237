export { examineKeyService, type KeyFinding, readKeyAddress } from './examine-key-service.js';
export { parseKeyEntries } from './key-entries.js';
export type { ServiceEntry } from './key-service.js';
export { SignerSource } from './signer-source.js';
export type { SignerObserver } from './signing/signer-observer.js';
