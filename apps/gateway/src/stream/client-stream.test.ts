import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@forecourt/testing/system';
import { aSponsorship } from '../history/records.test-support.js';
import { ClientStream } from './client-stream.js';
import { StreamEvent } from './stream-event.js';

const ids = { write: (places: object) => JSON.stringify(places).replaceAll('"', '') };
const wanted = { types: new Set(['sponsorship'] as const), filters: {} };
const aClient = () => new ClientStream({ token: null, user: null }, wanted);

function anEvent(name: string, place: string, places: Readonly<Record<string, string>>) {
  const record = { type: 'sponsorship', data: aSponsorship(64) } as const;
  return new StreamEvent(ids, { name, place, at: 1, record }, places);
}
const idsIn = (client: ClientStream) =>
  [...String(client.output.read() ?? '').matchAll(/^id: (.*)$/gm)].map(([, id]) => id);

describe('the stream of a client', () => {
  it('is destroyed once the client has left too much unread', () => {
    const client = aClient();
    const text = 'x'.repeat(100_000);
    for (let n = 0; n < 10; n++) client.write(text);
    expect([client.isOver, client.output.readableLength]).toEqual([false, 1_000_000]);
    client.write(text);
    client.write(text);
    expect([client.isOver, client.output.readableLength]).toEqual([true, 1_100_000]);
  });

  it('waits for a client that reads slowly, and no longer than it is there', async () => {
    for (const go of [
      (client: ClientStream) => client.output.resume(),
      (client: ClientStream) => client.output.destroy(),
    ]) {
      const client = aClient();
      await client.untilRead();
      client.write('x'.repeat(500_000));
      let isRead = false;
      const waiting = client.untilRead().then(() => (isRead = true));
      await Promise.resolve();
      expect(isRead).toBe(false);
      go(client);
      await waiting;
    }
  });

  it('has nothing twice that it has seen elsewhere, and ids that never go back', () => {
    const client = aClient();
    client.receive(anEvent('0', '5-0', { '0': '5-0', '1': '1-0' }));
    client.follow({ '0': '7-0', '1': '1-0' });
    client.receive(anEvent('0', '6-0', { '0': '6-0', '1': '1-0' }));
    client.receive(anEvent('1', '2-0', { '0': '6-0', '1': '2-0' }));
    expect(client.isLiveAt({ '0': '6-0', '1': '2-0' })).toBe(false);
    client.receive(anEvent('0', '7-0', { '0': '7-0', '1': '2-0' }));
    expect(idsIn(client)).toEqual(['{0:7-0,1:2-0}']);
    expect(client.isLiveAt({ '0': '7-0', '1': '2-0' })).toBe(true);
    client.receive(anEvent('0', '8-0', { '0': '8-0', '1': '2-0' }));
    expect(idsIn(client)).toEqual(['{0:8-0,1:2-0}']);
  });

  it('takes nothing after its end', async () => {
    const client = aClient();
    client.end();
    client.end();
    client.write('late');
    client.output.resume();
    await waitUntil(async () => client.output.readableEnded);
    expect([client.isOver, client.output.errored]).toEqual([true, null]);
  });
});
