import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HANDSHAKE = [
  'GET /rpc HTTP/1.1',
  'Host: benchmark',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '',
  '',
].join('\r\n');
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/**
 * A WebSocket client that counts frames and parses few of them, so that its own cost stays small.
 */
export class LightClient {
  frames = 0;
  #rest: Buffer = Buffer.alloc(0);
  #isOpen = false;

  private constructor(
    readonly socket: Socket,
    private readonly onFrame: (payload: Buffer, client: LightClient) => void,
  ) {
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', () => undefined);
  }

  static async open(
    url: string,
    onFrame: (payload: Buffer, client: LightClient) => void,
  ): Promise<LightClient> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    const client = new LightClient(socket, onFrame);
    socket.write(HANDSHAKE);
    return client;
  }

  send(text: string): void {
    const payload = Buffer.from(text);
    const header =
      payload.length < 126
        ? Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0])
        : Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
    // A mask of zeros leaves the payload unchanged.
    this.socket.write(Buffer.concat([header, payload]));
  }

  private take(chunk: Buffer): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (!this.#isOpen) {
      const end = data.indexOf('\r\n\r\n');
      if (end < 0) return void (this.#rest = data);
      this.#isOpen = true;
      data = data.subarray(end + 4);
    }
    let offset = 0;
    while (data.length - offset >= 2) {
      const short = data[offset + 1]! & 127;
      const header = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (data.length - offset < header) break;
      const length =
        short === 126
          ? data.readUInt16BE(offset + 2)
          : short === 127
            ? Number(data.readBigUInt64BE(offset + 2))
            : short;
      if (data.length - offset < header + length) break;
      const opcode = data[offset]! & 15;
      if (opcode === 9) this.socket.write(PONG);
      if (opcode === 1) {
        this.frames += 1;
        this.onFrame(data.subarray(offset + header, offset + header + length), this);
      }
      offset += header + length;
    }
    this.#rest = offset === data.length ? Buffer.alloc(0) : Buffer.from(data.subarray(offset));
  }
}
