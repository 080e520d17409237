export { type Caller, CONFIGURED_CALLER, type Role, roles } from './caller.js';
export { hashToken, Tokens } from './tokens.js';
export { type AccessFiles, findFileVersion, readAccessFiles } from './read-access-files.js';
export { type KnownToken } from './read-token-file.js';
export {
  type ConfiguredWebhook,
  readWebhookFiles,
  type WebhookFiles,
} from './read-webhook-files.js';
