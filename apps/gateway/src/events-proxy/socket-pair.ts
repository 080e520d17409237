import type { Socket } from 'node:net';

/** Connects a client with the events service: bytes of one go to the other, and both are closed together. */
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
  }

  /**
   * Ends the client's half towards the service, which then closes gracefully: it sends what it has for the
   * client, ends its subscriptions, and sends a close frame. The client's own bytes are still read, and
   * dropped: a socket that is closed with unread bytes is reset, and the client could lose what it has not
   * read yet.
   */
  leave(): void {
    this.#leaving = true;
    this.client.unpipe(this.service);
    this.client.resume();
    this.service.end();
  }
}
