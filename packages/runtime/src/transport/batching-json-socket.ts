import { JsonSocket } from '@nestjs/microservices';

type HandleSend = JsonSocket['sendMessage'];

/**
 * Sends what is written in one turn of the event loop at once: under load many messages leave in one system
 * call.
 */
export class BatchingJsonSocket extends JsonSocket {
  #holds = false;

  protected override handleSend(...message: Parameters<HandleSend>): void {
    if (!this.#holds) {
      this.#holds = true;
      this.netSocket.cork();
      setImmediate(() => {
        this.#holds = false;
        this.netSocket.uncork();
      });
    }
    super.handleSend(...message);
  }
}
