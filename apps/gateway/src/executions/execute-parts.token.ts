/** Injection token of `ExecuteParts`. */
export const EXECUTE_PARTS = Symbol('EXECUTE_PARTS');
