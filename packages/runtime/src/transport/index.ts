export {
  createMessageClient,
  createMessageServer,
  DirectServer,
  ErrorMessageFilter,
  type MessageEndpoint,
  ReadMessage,
} from './message-transport.js';
