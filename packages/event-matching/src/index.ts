export { compileFilter, type FilterCost, measureFilterCost } from './compile-filter.js';
export { describeEvent, type EventTraits, jsonKey, resolvePointer } from './event-traits.js';
export {
  compileCriterion,
  findCoveringCriterion,
  keyOfCriterion,
  keyOfTransaction,
  keysOfEvent,
  ownerKey,
} from './event-criteria.js';
export { SubscriptionIndex } from './subscription-index.js';
