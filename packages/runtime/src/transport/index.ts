export {
  createMessageClient,
  createMessageServer,
  type MessageEndpoint,
} from './message-transport.js';
