import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inheritedEnvironment, runApp } from '@forecourt/testing/system';

/** Runs the command line with these arguments until it ends. */
export function run(args: readonly string[], variables: object = {}) {
  const env = {
    ...inheritedEnvironment(),
    HOME: '/nowhere',
    FORECOURT_DATA: '/nowhere',
    ...variables,
  };
  return runApp('cli', env, { entry: 'forecourt.js', args });
}

/** The environment for a gas station that answers every path with what the test says. */
export async function answer(answers: Readonly<Record<string, readonly [number, unknown]>>) {
  const server = createServer((request, response) => {
    const [status, body] = answers[request.url ?? ''] ?? [
      404,
      { error: `No such route: GET ${request.url}` },
    ];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // No test has to end it.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { FORECOURT_URL: `http://127.0.0.1:${port}`, FORECOURT_TOKEN: 'a-token' };
}
