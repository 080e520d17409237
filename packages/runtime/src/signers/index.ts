export { SignerMetrics } from './signer-metrics.js';
export { Signers, type SignersChange } from './signers.js';
export { SignersModule, type SignersSettings } from './signers.module.js';
