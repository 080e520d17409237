import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { freePort } from '@forecourt/testing/redis';
import { EventsIndexClient } from './events-index-client.js';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** An events service that answers in its own way; its port. `requests`: what it has received. */
async function answering(status: number, answer: unknown, requests: string[] = []) {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push(`${request.method} ${request.url} ${body}`);
      response.writeHead(status).end(JSON.stringify(answer));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const clientOf = (...ports: number[]) =>
  new EventsIndexClient(
    partial({
      eventsEndpoints: ports.map((port) => ({ host: '127.0.0.1', port })),
      fleetSecrets: [],
    }),
  );

const RANGE = { first_checkpoint: 3, last_checkpoint: 9 };

describe('EventsIndexClient', () => {
  it('returns the answer of the first replica that has one', async () => {
    const requests: string[] = [];
    const [gone, old, well] = [
      await freePort(),
      await answering(404, {}),
      await answering(200, { result: { bytes: 7 } }, requests),
    ];
    const client = clientOf(gone, old, well);
    expect(await client.read()).toEqual({ bytes: 7 });
    await client.backfill(RANGE);
    const body = JSON.stringify(RANGE);
    expect(requests).toEqual(['GET /events_index ', `POST /events_index/backfill ${body}`]);
  });

  it('passes refusals on, without asking further replicas', async () => {
    const requests: string[] = [];
    const error = { code: 'INVALID_REQUEST', detail: 'the index ends with checkpoint 7' };
    const refusing = await answering(200, { error });
    const client = clientOf(refusing, await answering(200, { result: {} }, requests));
    await expect(client.backfill(RANGE)).rejects.toMatchObject(error);
    expect(requests).toEqual([]);
  });

  it.each<[string, string, () => Promise<number>[]]>([
    ['no replica has an index', 'EVENTS_INDEX_OFF', () => [answering(404, {})]],
    ['a replica does not answer', 'EVENTS_UNREACHABLE', () => [answering(404, {}), freePort()]],
    [
      'a replica that does not answer comes first',
      'EVENTS_UNREACHABLE',
      () => [freePort(), answering(404, {})],
    ],
    [
      'the database does not answer',
      'EVENTS_UNREACHABLE',
      () => [answering(200, { error: { code: 'EVENTS_UNREACHABLE', detail: '' } })],
    ],
    ['something else answers', 'EVENTS_UNREACHABLE', () => [answering(500, 'x')]],
  ])('fails where %s', async (_case, code, ports) => {
    const client = clientOf(...(await Promise.all(ports())));
    await expect(client.read()).rejects.toMatchObject({ code });
  });
});
