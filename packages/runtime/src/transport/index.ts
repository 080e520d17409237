export { DirectServer } from './direct-messages.js';
export {
  createMessageClient,
  createMessageServer,
  type MessageEndpoint,
} from './message-transport.js';
