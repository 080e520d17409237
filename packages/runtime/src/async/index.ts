export { KeyedBatcher } from './keyed-batcher.js';
export { within } from './within.js';
