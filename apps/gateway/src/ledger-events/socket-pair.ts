import type { Socket } from 'node:net';

/** A client and the events service: bytes of one go to the other; when one is gone, so is the other. */
export class SocketPair {
  #leaving = false;

  constructor(
    private readonly client: Socket,
    private readonly service: Socket,
  ) {
    client.setNoDelay(true);
    client.pipe(service);
    service.pipe(client);
    client.once('close', () => service.destroy());
    service.once('close', () => {
      if (!this.#leaving) client.destroySoon();
    });
    if (client.destroyed) service.destroy();
  }

  /**
   * Ends the client's half towards the service, which then takes leave of the client: it sends what it has for it, tells
   * its subscriptions, and closes with a close frame. The client's own bytes are read on, and dropped: a socket that is
   * closed with bytes unread is reset, and the client could lose what it has not read yet.
   */
  leave(): void {
    this.#leaving = true;
    this.client.unpipe(this.service);
    this.client.resume();
    this.service.end();
  }
}
