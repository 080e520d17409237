export { Batcher } from './batcher.js';
export { KeyedBatcher } from './keyed-batcher.js';
export { retryUntilFresh } from './retry-until-fresh.js';
export { within } from './within.js';
