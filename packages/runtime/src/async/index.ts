export { Batcher, KeyedBatcher } from './batcher.js';
export { untilRecent, within } from './within.js';
