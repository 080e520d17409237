import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { HonestAccess } from './honest-user.js';
import { DRIVEN } from './honest-events.js';

/** One long-lived subscription to the events of honest users' cars. */
export class HonestSubscriber {
  /** Events of honest users' cars. */
  received = 0;
  /** The reason why it ended; null: it is open. */
  ended: string | null = null;

  private constructor(private readonly socket: WebSocket) {}

  static async open({ gatewayUrl, from }: HonestAccess, drivers: readonly string[]) {
    const socket = new WebSocket(`${gatewayUrl.replace('http', 'ws')}/rpc`, { localAddress: from });
    const subscriber = new HonestSubscriber(socket);
    await once(socket, 'open');
    socket.on('error', (error) => (subscriber.ended ??= error.message));
    socket.on('close', (code) => (subscriber.ended ??= `closed with ${code}`));
    socket.on('message', (data: Buffer) => subscriber.take(data.toString(), drivers));
    const request = { jsonrpc: '2.0', id: 1, method: 'ledger_subscribeEvent', params: [DRIVEN] };
    socket.send(JSON.stringify(request));
    await once(socket, 'message');
    return subscriber;
  }

  close(): void {
    this.ended ??= 'closed by the server';
    this.socket.terminate();
  }

  private take(text: string, drivers: readonly string[]): void {
    const message = JSON.parse(text) as { params?: { error?: { message: string } } };
    if (message.params?.error) this.ended ??= message.params.error.message;
    if (message.params && drivers.some((driver) => text.includes(driver))) this.received += 1;
  }
}
