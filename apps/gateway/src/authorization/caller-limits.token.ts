export const CALLER_LIMITS = Symbol('CALLER_LIMITS');
