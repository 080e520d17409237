export { DirectServer } from './direct-messages.js';
export { ErrorMessageFilter, ReadMessage } from './message-handling.js';
export {
  createMessageClient,
  createMessageServer,
  type MessageEndpoint,
} from './message-transport.js';
