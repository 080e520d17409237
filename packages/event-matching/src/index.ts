export { compileCriterion, type MatchesRecord, ownerKey } from './compile-criterion.js';
export { compileFilter, type MatchesEvent } from './compile-filter.js';
export { criterionCovering } from './criterion-covering.js';
export { describeEvent, type EventTraits } from './event-traits.js';
export { jsonKey, resolvePointer } from './json-value.js';
export { type FilterCost, measureFilter } from './measure-filter.js';
export { SubscriptionIndex } from './subscription-index.js';
