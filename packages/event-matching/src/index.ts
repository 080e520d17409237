export { compileCriterion, findCoveringCriterion, ownerKey } from './compile-criterion.js';
export { keyOfCriterion, keyOfTransaction, keysOfEvent } from './criterion-keys.js';
export { compileFilter, type FilterCost, measureFilterCost } from './compile-filter.js';
export { describeEvent, type EventTraits, jsonKey, resolvePointer } from './event-traits.js';
export { SubscriptionIndex } from './subscription-index.js';
