export {
  type CallContext,
  type CallMethod,
  ConnectionDropped,
  HttpReply,
  RawJson,
} from './call-context.js';
export type { CallOrigin } from './call-origin.js';
export { invalidParams, JsonRpcCode, JsonRpcError } from './json-rpc-error.js';
export { CallSlots } from './limits/call-slots.js';
export type { ClientLimits } from './limits/client-limits.js';
export { bodyRefusal, rpcFailure } from './rpc-failure.js';
export { registerRpcRoute } from './register-rpc-route.js';
export { frameText } from './sockets/frame-text.js';
export { RpcConnection } from './sockets/rpc-connection.js';
export { type RpcSockets, serveRpcSockets } from './sockets/serve-rpc-sockets.js';
export { startHeartbeat } from './sockets/start-heartbeat.js';
