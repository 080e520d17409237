/**
 * For development: the backend, and the page by Vite. In production a web server does what Vite does here.
 */
import { join } from 'node:path';
import { createServer } from 'vite';
import './backend/main.js';

const page = await createServer({ root: join(import.meta.dirname, '..') });
await page.listen();
process.stdout.write(`Open ${page.resolvedUrls?.local[0]}\n`);
