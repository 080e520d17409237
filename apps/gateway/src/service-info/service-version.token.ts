/** Injection token of the version, a string, that `GET /version` returns. */
export const SERVICE_VERSION = Symbol('SERVICE_VERSION');
