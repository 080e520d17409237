import { expect, it } from '@jest/globals';
import { freePort } from './free-port.js';

const PORTS = 400;

it('hands no port out twice, though nothing listens on any of them and nothing is remembered', async () => {
  const ports = new Set<number>();
  for (let count = 0; count < PORTS; count++) ports.add(await freePort());
  expect(ports.size).toBe(PORTS);
});
