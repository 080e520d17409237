import { createServer } from 'node:net';
import { Failure } from './failure.js';
import { environment } from './workspace-config.js';

/** A port that a command listens on. */
export interface Listener {
  readonly variable: string;
  readonly port: number;
}

/** Throws `Failure` naming every port that is in use, before anything is built. */
export async function requireFreePorts(listeners: readonly Listener[]): Promise<void> {
  const taken: Listener[] = [];
  for (const { variable, port: usual } of listeners) {
    const port = Number(environment[variable] ?? usual);
    if (!(await isFree(port))) taken.push({ variable, port });
  }
  const [first] = taken;
  if (first === undefined) return;
  const ports = taken.map(({ variable, port }) => `port ${port} (${variable})`).join(', ');
  throw new Failure(
    `already in use: ${ports}. End the process that listens there, or choose another port, such as ${first.variable}=<port>`,
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
