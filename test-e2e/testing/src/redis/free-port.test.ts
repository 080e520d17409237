import { expect, it } from '@jest/globals';
import { freePort } from './free-port.js';

const PORTS = 400;

it('hands out each port once, without listening on it or remembering it', async () => {
  const ports = new Set<number>();
  for (let count = 0; count < PORTS; count++) ports.add(await freePort());
  expect(ports.size).toBe(PORTS);
});
