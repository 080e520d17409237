import { readBackendConfig } from './backend-config.js';
import { createBackend } from './create-backend.js';

const { port, ...options } = readBackendConfig();
// On loopback, so that only the web server in front can reach it: anybody else could forge a visitor's
// address.
await createBackend(options).listen({ port, host: '127.0.0.1' });
