export { encodeBase58 } from './encode-base58.js';
