/** Longest name of a caller, gateway, rule, counter or sponsor in a message; none comes near it. */
export const MAX_NAME_LENGTH = 4_096;
