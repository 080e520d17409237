import { expect, it } from '@jest/globals';
import { freePort } from './free-port.js';

const PORTS = 400;

it('hands no port out twice, though nothing listens on any of them and nothing is remembered', async () => {
  const ports = await Promise.all(Array.from({ length: PORTS }, () => freePort()));
  expect(new Set(ports).size).toBe(PORTS);
});
