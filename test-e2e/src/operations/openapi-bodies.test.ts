import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { call } from '../support/application.js';
import { system } from '../support/systems/observed-system.js';

/** Widths of integers, which generated clients need. */
const formats = { int32: true, int64: true } as const;
const ajv = new Ajv2020({ strict: false, formats });
const ADDRESS = `0x${'a0'.repeat(32)}`;
const BASE58 = 'GiLVfKXKXQAYMRkzzSVoRZFyJvFrcxcf1G7AWfH5AwLF';
const BASE64 = Buffer.alloc(32, 1).toString('base64');
const unpaid = { sender: ADDRESS, kind_bytes: 'AAAA' };
const whole = { sender: ADDRESS, tx_bytes: 'AAAA' };
const pause = { reason: 'a test' };

/** Errors of validation about a body's form; later checks of a well-formed body have other errors. */
const FORM = /must be|exactly one|not both/;

const bodies: [path: string, body: object, isRight: boolean][] = [
  ['/v1/dry_run_tx', unpaid, true],
  ['/v1/dry_run_tx', whole, true],
  ['/v1/dry_run_tx', { ...unpaid, tx_bytes: null, gas_budget: null }, true],
  ['/v1/dry_run_tx', { ...unpaid, ...whole }, false],
  ['/v1/dry_run_tx', { sender: ADDRESS }, false],
  ['/v1/dry_run_tx', { ...unpaid, kind_bytes: null }, false],
  ['/v1/dry_run_tx', { ...unpaid, kind_bytes: 'AAAAA' }, false],
  ['/v1/dry_run_tx', { ...unpaid, kind_bytes: 'AA=A' }, false],
  ['/v1/dry_run_tx', { ...unpaid, kind_bytes: 'AA==' }, true],
  ['/v1/build_tx', { ...unpaid, gas_budget: 2 }, true],
  ['/v1/build_tx', { ...unpaid, gas_budget: 0 }, false],
  ['/v1/build_tx', { ...unpaid, ...whole }, false],
  ['/v1/build_tx', { sender: ADDRESS }, false],
  ['/v1/execute_tx', { reservation_id: 64, tx_bytes: 'AAAA', user_sig: 'AAAA' }, true],
  ['/v1/execute_tx', { reservation_id: 64, tx_bytes: 'AAAAAA', user_sig: 'AAAA' }, false],
  ['/v1/resume', { sponsor_address: ADDRESS, token: null }, true],
  ['/v1/resume', { sponsor_address: ADDRESS, token: 'shop' }, false],
  ['/v1/pause', { ...pause, sponsor_address: ADDRESS, token: 'shop' }, false],
  ['/v1/drain', { ...pause, sponsor_address: ADDRESS }, true],
  ['/v1/undrain', { sponsor_address: ADDRESS }, true],
];

const digests: [digest: string, isRight: boolean][] = [
  [BASE58, true],
  [BASE64, true],
  ['0'.repeat(64), false],
  [BASE58.replace('G', '0'), false],
  [BASE64.replace('E=', 'F='), false],
  [BASE64.slice(0, 20), false],
];

let document: { paths: Record<string, Record<string, never>> };

function isDescribed(schema: object, value: unknown): boolean {
  const local = JSON.stringify(schema).replaceAll('"#/components', '"described#/components');
  return ajv.compile(JSON.parse(local) as object)(value);
}

/** Whether the gateway takes the form of a request. */
async function isTaken(method: 'GET' | 'POST', path: string, body?: object): Promise<boolean> {
  const answer = await call(system.application, method, path, body);
  expect(answer.status).not.toBe(401);
  return answer.status !== 400 || !FORM.test(answer.body.error!);
}

describe('the schemas of the HTTP API', () => {
  beforeAll(async () => {
    const response = await fetch(`${system.application.url}/openapi.json`);
    document = (await response.json()) as typeof document;
    ajv.addSchema(document, 'described');
  });

  it.each(bodies)('describe a body of %s as it is read: %j', async (path, body, isRight) => {
    const { requestBody } = document.paths[path]!['post'] as unknown as {
      requestBody: { content: { 'application/json': { schema: object } } };
    };
    const { schema } = requestBody.content['application/json'];
    expect([isDescribed(schema, body), await isTaken('POST', path, body)]).toEqual([
      isRight,
      isRight,
    ]);
  });

  it.each(digests)('describe a digest as it is read: %s', async (digest, isRight) => {
    const { parameters } = document.paths['/v1/explain']!['get'] as unknown as {
      parameters: { name: string; schema: object }[];
    };
    const { schema } = parameters.find(({ name }) => name === 'digest')!;
    const path = `/v1/explain?digest=${encodeURIComponent(digest)}`;
    expect([isDescribed(schema, digest), await isTaken('GET', path)]).toEqual([isRight, isRight]);
  });
});
