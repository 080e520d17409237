export { type Certificate, createCertificate } from './certificate.js';
export { HeldKey, type HeldScheme, toDer, withHighS } from './held-key.js';
export type { KeyFault } from './key-fault.js';
export { KeyServer } from './key-server.js';
export type { Protocol } from './protocols.js';
