import fc from 'fast-check';

const BODY = '{"gas_budget":1000000,"reserve_duration_secs":1}';

/** Bytes of HTTP/1.1 with one or several faults that Node's client would never send. */
export function rawRequests(token: string): fc.Arbitrary<string[]> {
  const head = (...lines: string[]) =>
    ['POST /v1/reserve_gas HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`, ...lines]
      .map((line) => `${line}\r\n`)
      .join('');
  const json = 'Content-Type: application/json';
  const chunked = 'Transfer-Encoding: chunked';
  const size = fc.constantFrom(
    '30',
    '0',
    '-1',
    'zz',
    '',
    'ffffffffffffffff',
    '1;ext=1',
    '0x30',
    ' 30',
    '30 ',
    '00000030',
  );
  const chunks = fc
    .array(fc.tuple(size, fc.constantFrom(BODY, '{', '', '\r\n', 'x'.repeat(300))), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.map(([length, data]) => `${length}\r\n${data}\r\n`));
  const length = fc.constantFrom(
    '0',
    '5',
    '48',
    '999',
    '-1',
    'x',
    '1e3',
    '18446744073709551616',
    '',
  );
  const wrongHead = fc.constantFrom(
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    'GET /\r\n\r\n',
    '\r\n\r\n',
    'G\0T / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.1\nHost: x\n\n',
    'GET  / HTTP/1.1\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: \0\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET http://x/version HTTP/1.1\r\nHost: x\r\n\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(3_000)}\r\n`,
    '\x16\x03\x01\x02\x00\x01',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /rpc/%zz HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\n\r\n',
    'get / http/1.1\r\nhost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    'GET /rpc HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET /rpc HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\nSec-WebSocket-Key: x\r\n\r\n',
  );
  return fc.oneof(
    {
      weight: 3,
      arbitrary: chunks.map((parts) => [`${head(json, chunked)}\r\n`, ...parts, '0\r\n\r\n']),
    },
    { weight: 2, arbitrary: chunks.map((parts) => [`${head(json, chunked)}\r\n`, ...parts]) },
    {
      weight: 2,
      arbitrary: length.map((value) => [`${head(json, `Content-Length: ${value}`)}\r\n`, BODY]),
    },
    {
      weight: 1,
      arbitrary: length.map((value) => [
        `${head(json, chunked, `Content-Length: ${value}`)}\r\n`,
        `30\r\n${BODY}\r\n0\r\n\r\n`,
      ]),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('Content-Length: 48', 'Transfer-Encoding: gzip', 'Expect: 100-continue')
        .map((twice) => [`${head(json, 'Content-Length: 48', twice)}\r\n`, BODY]),
    },
    { weight: 4, arbitrary: wrongHead.map((wrong) => [wrong]) },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.constantFrom('GET /version', 'GET /%zz', 'GET /nowhere'), {
          minLength: 2,
          maxLength: 6,
        })
        .map((lines) => lines.map((line) => `${line} HTTP/1.1\r\nHost: x\r\n\r\n`)),
    },
    {
      weight: 1,
      arbitrary: fc
        .uint8Array({ minLength: 1, maxLength: 300 })
        .map((bytes) => [Buffer.from(bytes).toString('latin1')]),
    },
  );
}
