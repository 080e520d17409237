export { messageTransport } from './message-transport.js';
