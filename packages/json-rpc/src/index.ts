export {
  answerJsonRpc,
  type AnswerOptions,
  type CallContext,
  type CallMethod,
  ConnectionDropped,
  WrittenJson,
} from './answer-json-rpc.js';
export { invalidParams, JsonRpcCode, JsonRpcError } from './json-rpc-error.js';
export { registerRpcRoute, type RpcRouteOptions } from './register-rpc-route.js';
export { frameText } from './sockets/frame-text.js';
export { RpcConnection } from './sockets/rpc-connection.js';
export {
  type RpcSocketOptions,
  type RpcSockets,
  serveRpcSockets,
} from './sockets/serve-rpc-sockets.js';
