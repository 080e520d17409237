export { createMessageClient, createMessageServer } from './message-transport.js';
export { ErrorMessageFilter, errorMessageOf } from './error-message-filter.js';
export type { MessageClient, MessagePattern } from './message-client.js';
export { ReadMessage } from './read-message.js';
export { DirectServer } from './direct-server.js';
