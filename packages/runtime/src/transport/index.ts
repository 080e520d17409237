export { createMessageClient, createMessageServer, type MessageEnd } from './message-transport.js';
