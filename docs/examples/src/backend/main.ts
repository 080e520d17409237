import { readBackendConfig } from './backend-config.js';
import { createBackend } from './create-backend.js';

const { port, ...options } = readBackendConfig();
// Only the web server in front of it can reach it: whoever else could, would make up a visitor's address.
await createBackend(options).listen({ port, host: '127.0.0.1' });
