export { KeyedBatcher } from './keyed-batcher.js';
export { untilRecent } from './until-recent.js';
export { within } from './within.js';
