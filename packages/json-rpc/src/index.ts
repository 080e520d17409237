export {
  type CallContext,
  type CallMethod,
  ConnectionDropped,
  HttpReply,
  RawJson,
} from './call-method.js';
export { type CallOrigin, CLIENT_LEFT } from './call-origin.js';
export type { ClientLimits } from './limits/client-limits.js';
export { registerRpcRoute } from './register-rpc-route.js';
export { frameText, RpcConnection } from './sockets/rpc-connection.js';
export { type RpcSockets, serveRpcSockets } from './sockets/serve-rpc-sockets.js';
export { startHeartbeat } from './sockets/start-heartbeat.js';
