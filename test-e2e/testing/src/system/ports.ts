import { freePort, isFree } from '../redis/index.js';

/** Assigns a port to every listener of a system. */
export type PortSource = (variable: string, usual: number, replica: number) => Promise<number>;

export const randomPorts: PortSource = () => freePort();

/**
 * The default ports, or those of the environment; a second replica takes the next free one above.
 * Throws `Error` naming port and variable when a port is in use.
 */
export function defaultPorts(environment: NodeJS.ProcessEnv): PortSource {
  const given = new Set<number>();
  return async (variable, usual, replica) => {
    const text = environment[variable];
    const wanted = text === undefined || text === 'on' ? usual : Number(text);
    if (replica > 0) return nextFree(wanted, given);
    if (given.has(wanted) || !(await isFree(wanted))) {
      throw new Error(
        `port ${wanted} is in use: end the process that listens there, or choose another port with ${variable}=<port>`,
      );
    }
    given.add(wanted);
    return wanted;
  };
}

async function nextFree(above: number, given: Set<number>): Promise<number> {
  let port = above + 1;
  while (given.has(port) || !(await isFree(port))) port += 1;
  given.add(port);
  return port;
}
