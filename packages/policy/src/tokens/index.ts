export { type Caller, CONFIGURED_CALLER, type Role, roles } from './caller.js';
export { hashToken } from './tokens.js';
export { type AccessFiles, readAccessFiles } from './read-access-files.js';
export { type KnownToken, readTokenFile } from './read-token-file.js';
export { Tokens } from './tokens.js';
export { findFileVersion } from './read-access-files.js';
