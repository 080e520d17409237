export {
  type AccessAction,
  type AccessPolicy,
  type AccessRule,
  type AccessRules,
  type Condition,
  InvalidAccessRules,
} from './access-rules.js';
export { type AccessDecision, decideAccess } from './decide-access.js';
export { readAccessRules } from './read-access-rules.js';
