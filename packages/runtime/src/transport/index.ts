export { createMessageClient, createMessageServer } from './message-transport.js';
export { ErrorMessageFilter } from './error-message-filter.js';
export { ReadMessage } from './read-message.js';
export { DirectServer } from './direct-server.js';
