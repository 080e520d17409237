export { compileFilter } from './compile-filter.js';
export { describeEvent } from './event-traits.js';
export { SubscriptionIndex } from './subscription-index.js';
