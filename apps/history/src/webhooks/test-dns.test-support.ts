import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_LENGTH = 12;
const TYPE_LENGTH = 4;
const A = 1;
const AAAA = 28;

/** A DNS server on loopback. */
export interface TestDns {
  /** For `Resolver.setServers`. */
  readonly address: string;
  /**
   * Name → its IPv4 and IPv6 addresses; a name that is not listed does not exist; null: no answer is ever
   * sent.
   */
  readonly names: Map<string, readonly string[] | null>;
  stop(): void;
}

export async function startDns(): Promise<TestDns> {
  const names: TestDns['names'] = new Map();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const reply = answer(query, names);
    if (reply) socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  return { address: `127.0.0.1:${port}`, names, stop: () => socket.close() };
}

function answer(query: Buffer, names: TestDns['names']): Buffer | null {
  const { name, end } = readName(query);
  const type = query.readUInt16BE(end);
  const addresses = names.get(name);
  if (addresses === null) return null;
  const wanted = (addresses ?? []).filter((one) => one.includes(':') === (type === AAAA));
  const records = type === A || type === AAAA ? wanted.map((one) => writeRecord(type, one)) : [];
  const header = Buffer.from(query.subarray(0, HEADER_LENGTH));
  // A response, recursion available; 3: there is no such name.
  header.writeUInt16BE(0x8180 | (addresses === undefined ? 3 : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, query.subarray(HEADER_LENGTH, end + TYPE_LENGTH), ...records]);
}

function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let position = HEADER_LENGTH;
  for (let length = query[position]!; length > 0; length = query[position]!) {
    labels.push(query.toString('latin1', position + 1, position + 1 + length));
    position += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: position + 1 };
}

/** Its name points to that of the question. */
function writeRecord(type: number, address: string): Buffer {
  const data = type === A ? Buffer.from(address.split('.').map(Number)) : bytesOfIpv6(address);
  const head = Buffer.alloc(HEADER_LENGTH);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function bytesOfIpv6(address: string): Buffer {
  const [start = '', rest] = address.split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const [left, right] = [groups(start), groups(rest)];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  const hex = [...left, ...zeros, ...right].map((group) => group.padStart(4, '0'));
  return Buffer.from(hex.join(''), 'hex');
}
