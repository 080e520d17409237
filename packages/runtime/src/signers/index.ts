export { SignerMetrics } from './signer-metrics.js';
export { Signers } from './signers.js';
export { SignersModule } from './signers.module.js';
