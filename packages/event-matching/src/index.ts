export { compileCriterion, ownerKey } from './compile-criterion.js';
export { compileFilter } from './compile-filter.js';
export { describeEvent, type EventTraits } from './event-traits.js';
export { findCoveringCriterion } from './find-covering-criterion.js';
export { jsonKey, resolvePointer } from './json-value.js';
export { type FilterCost, measureFilterCost } from './measure-filter-cost.js';
export { SubscriptionIndex } from './subscription-index.js';
