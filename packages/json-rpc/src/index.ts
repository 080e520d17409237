export {
  answerJsonRpc,
  type AnswerOptions,
  type CallContext,
  type CallMethod,
  ConnectionDropped,
  WrittenJson,
} from './answer-json-rpc.js';
export type { CallOrigin } from './call-origin.js';
export { CLIENT_HEADER, clientOf, plainAddress } from './clients/client-address.js';
export { findClient, findForwardedClient, type IsTrusted } from './clients/find-client.js';
export { CallSlots } from './limits/call-slots.js';
export { ClientQuota, type QuotaLimits } from './limits/client-quota.js';
export { type MemoryConsumer, MemoryBudget, type MemoryLimits } from './limits/memory-budget.js';
export type { ServedClients } from './limits/served-clients.js';
export { TokenBuckets } from './limits/token-buckets.js';
export { invalidParams, JsonRpcCode, JsonRpcError } from './json-rpc-error.js';
export { registerRpcRoute, type RpcRouteOptions } from './register-rpc-route.js';
export { frameText } from './sockets/frame-text.js';
export { RpcConnection } from './sockets/rpc-connection.js';
export {
  type RpcSocketOptions,
  type RpcSockets,
  serveRpcSockets,
} from './sockets/serve-rpc-sockets.js';
