import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProgramOptions } from '@forecourt/testing/options';
import { freePort, waitUntil } from '@forecourt/testing/system';
import { requestsFor } from '../raw-http.js';

const HELP = `npm run verify -- ingress

Sends many requests ahead on one connection, to Node directly and through a real HAProxy, and counts how many of them Node
holds at once. Needs haproxy (apt-get install haproxy); HAPROXY names a program that is not on the PATH.

Ends with 1 when more than one request of the connection passes HAProxy at a time.`;

const REQUESTS = 2_300;
/** `mode http` is what docs/operations/deployment.md#ingress asks for. */
const config = (port: number, to: number) => `
defaults
  mode http
  timeout connect 5s
  timeout client 90s
  timeout server 90s
listen gateway
  bind 127.0.0.1:${port}
  server node 127.0.0.1:${to}
`;

/** The most requests of one connection that the server holds at once, of `REQUESTS` that are all answered. */
async function mostHeld(port: number): Promise<number> {
  [held, most] = [0, 0];
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  socket.write(requestsFor('/', REQUESTS));
  await waitUntil(async () => text.split('answer').length > REQUESTS);
  socket.destroy();
  return most;
}

readProgramOptions(HELP, {});
const haproxy = process.env['HAPROXY'] ?? 'haproxy';
if (spawnSync(haproxy, ['-v']).error) throw new Error(`${haproxy} is not installed\n\n${HELP}`);

let [held, most] = [0, 0];
const server = createServer((_request, response: ServerResponse) => {
  most = Math.max(most, ++held);
  setImmediate(() => response.end('answer', () => (held -= 1)));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port: direct } = server.address() as AddressInfo;
const folder = mkdtempSync(join(tmpdir(), 'forecourt-haproxy-'));
const port = await freePort();
const file = join(folder, 'haproxy.cfg');
writeFileSync(file, config(port, direct));
const proxy = spawn(haproxy, ['-db', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] });
try {
  await waitUntil(async () => {
    if (proxy.exitCode !== null) throw new Error(`${haproxy} ended with ${proxy.exitCode}`);
    return fetch(`http://127.0.0.1:${port}`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  const [alone, behind] = [await mostHeld(direct), await mostHeld(port)];
  process.stdout.write(`held at once of ${REQUESTS}: ${alone} directly, ${behind} by HAProxy\n`);
  if (behind > 1) process.exitCode = 1;
} finally {
  proxy.kill();
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
}
