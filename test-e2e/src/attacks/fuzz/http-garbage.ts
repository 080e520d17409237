import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { damaged, jsonText, numberText, spoiledObject, text } from './garbage.js';
import type { RawRequest } from './http-exchange.js';

const ROUTES = [
  '/',
  '/version',
  '/health/live',
  '/health/ready',
  '/health/dependencies',
  '/debug_health_check',
  '/metrics',
  '/rpc',
  '/v1/reserve_gas',
  '/v1/execute_tx',
  '/v1/reload_access_controller',
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];

const path = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ROUTES) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...ROUTES),
        fc.constantFrom('/', '//', '?', '?a=b', '%', '%2', '%00', '%zz', '/..%2f..', ';x', '#f'),
      )
      .map(([route, end]) => route + end),
  },
  {
    weight: 2,
    // The characters that a request line can carry.
    arbitrary: fc
      .string({ unit: fc.constantFrom(...'abv1/._-~%?=&+:@!$,;()\'*"<>[]{}|^`\\'), maxLength: 60 })
      .map((end) => `/${end}`),
  },
  { weight: 1, arbitrary: fc.constantFrom('*', `/${'a'.repeat(7_000)}`, '/%c0%ae%c0%ae/', '/%F0') },
);

const contentType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  '',
  ' ',
  ';',
  '/',
  'json',
  'application/',
  'application/json, text/plain',
  '*/*',
  'a/b; c',
);

const oddHeaders = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-version',
    'accept-encoding',
    'content-encoding',
    'x-request-id',
    'range',
    'cookie',
    'referer',
    'origin',
    'x-forwarded-for',
    'traceparent',
    'expect',
    'if-match',
    'te',
    'x-http-method-override',
    'host',
    'date',
    'content-language',
    'constructor',
    '__proto__x',
  ),
  fc.oneof(
    fc.string({ maxLength: 60 }).map((value) => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')),
    fc.constantFrom('gzip', 'br', '*/*', 'text/plain', '100-continue', 'x'.repeat(4_000), '1.0.0'),
    fc.constant('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'),
  ),
  { maxKeys: 3 },
);

/** The reservations of these requests end soon. */
const reserveBody = spoiledObject({
  gas_budget: fc.oneof(fc.constantFrom('1', '5000000', '2000000000'), numberText),
  reserve_duration_secs: fc.oneof(fc.constantFrom('1', '2', '0', '601'), numberText),
});

const executeBody = spoiledObject({
  reservation_id: fc.oneof(fc.constantFrom('1', '64', '9007199254740991'), numberText),
  tx_bytes: fc.base64String({ maxLength: 400 }).map((value) => JSON.stringify(value)),
  user_sig: fc.base64String({ maxLength: 200 }).map((value) => JSON.stringify(value)),
  requestType: fc.constantFrom('"waitForEffectsCert"', '"waitForLocalExecution"', '"x"', 'null'),
});

const intact = fc.constantFrom(
  '{"gas_budget":1000000,"reserve_duration_secs":1}',
  '{"reservation_id":64,"tx_bytes":"AAAA","user_sig":"AAAA"}',
);

const httpBody: fc.Arbitrary<Buffer | string | null> = fc.oneof(
  { weight: 6, arbitrary: reserveBody },
  { weight: 6, arbitrary: executeBody },
  { weight: 4, arbitrary: damaged(intact) },
  { weight: 3, arbitrary: jsonText },
  { weight: 1, arbitrary: text },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: intact.map((body) => gzipSync(body)) },
  { weight: 1, arbitrary: intact.map((body) => Buffer.from(`\ufeff${body}`, 'utf16le')) },
  { weight: 1, arbitrary: fc.constantFrom(null, '') },
);

const HUGE = `{"gas_budget":1,"pad":"${'x'.repeat(1_100_000)}"}`;

/** Requests to valid and invalid routes; `token` is valid. */
export function httpRequests(token: string): fc.Arbitrary<RawRequest> {
  const authorization = fc.oneof(
    { weight: 6, arbitrary: fc.constant(`Bearer ${token}`) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'Bearer',
        'Bearer ',
        `bearer ${token}`,
        `Basic ${token}`,
        'Bearer wrong',
        '',
        `Bearer ${token}x`,
        `Bearer ${token} `,
        `Bearer ${'x'.repeat(6_000)}`,
        'Bearer \xff',
      ),
    },
  );
  return fc
    .record({
      method: fc.oneof(
        { weight: 3, arbitrary: fc.constant('POST') },
        { weight: 2, arbitrary: fc.constantFrom(...METHODS) },
      ),
      path: fc.oneof(path, fc.constantFrom('/v1/reserve_gas', '/v1/execute_tx')),
      authorization,
      type: fc.oneof(
        { weight: 4, arbitrary: fc.constant('application/json') },
        { weight: 2, arbitrary: contentType },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
      odd: oddHeaders,
      body: fc.oneof(
        { weight: 40, arbitrary: httpBody },
        { weight: 1, arbitrary: fc.constant(HUGE) },
      ),
    })
    .map(({ method, path: target, authorization: bearer, type, odd, body }) => ({
      method,
      path: target,
      body,
      headers: {
        ...odd,
        authorization: bearer,
        ...(type === null ? {} : { 'content-type': type }),
        ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
    }));
}
