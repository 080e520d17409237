import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StallingHook {
  /** Rules that ask it, and that limit each sender of `exceed-limits`. */
  readonly rules: string;
  stop(): void;
}

const STALLING = 'stall-hook';

/**
 * A hook for two tokens: it allows the transactions of `asking`, and never answers about those of the other.
 */
export async function startStallingHook(asking: string): Promise<StallingHook> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    rules: [
      'access-controller:',
      '  access-policy: allow-all',
      '  rules:',
      "    - { token: exceed-limits, requests: { value: '>1', window: 1 hour, count-by: [sender-address] }, action: deny }",
      `    - { token: [${asking}, ${STALLING}], action: { url: '${url}', timeout: 1 s } }`,
      '',
    ].join('\n'),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const { token } = JSON.parse(text) as { token: string };
  if (token !== STALLING) response.end('{"decision":"allow"}');
}
