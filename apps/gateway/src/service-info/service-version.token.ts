/** Injection token of the version that is served, a text. */
export const SERVICE_VERSION = Symbol('SERVICE_VERSION');
