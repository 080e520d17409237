/** Longest name of a caller, gateway, rule, counter or sponsor in a message; far above what any of them uses. */
export const MAX_NAME_LENGTH = 4_096;
