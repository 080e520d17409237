import { beforeAll, describe, expect, it } from '@jest/globals';
import { errorTable } from '@forecourt/contracts';
import { readRpcRecording } from '@forecourt/ledger/recorded-node';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { sendHttp } from '../attacks/soak/send-http.js';
import { call, reserveGas, sponsor } from '../support/application.js';
import { system } from '../support/systems/observed-system.js';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Body {
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string }[];
}

/** The routes of the documentation and of the console are not part of the description. */
const OWN = /^[\w,]+ \/(?:openapi\.json|(?:docs|console)(?:\/.*)?)$/;

let document: Document;
let url: string;

function validatorOf(schema: object): ValidateFunction {
  const formats = { int32: true, int64: true } as const;
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  ajv.addSchema(document, 'doc');
  const local = JSON.stringify(schema).replaceAll('"#/components', '"doc#/components');
  return ajv.compile(JSON.parse(local) as object);
}

function faultsOf({ schema }: Media, value: unknown): unknown {
  const validate = validatorOf(schema);
  return validate(value) ? [] : validate.errors;
}

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

const jsonOf = (body: Body | undefined): Media | undefined => body?.content?.['application/json'];

describe('the description of the HTTP API', () => {
  beforeAll(async () => {
    url = system.application.url;
    document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  });

  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate({ ...structuredClone(document) })).toEqual({
      valid: true,
    });
    const broken = structuredClone(document) as { paths: object; info?: object };
    delete broken.info;
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('names the address of the request as its server', () => {
    expect(document.servers).toEqual([{ url: '/' }]);
  });

  it('has every route that the gateway serves, and no other', async () => {
    const lines = (await system.services('gateway')[0]!.log()).trim().split('\n');
    const { routes } = lines
      .map((line) => JSON.parse(line) as { msg: string; routes: string[] })
      .find(({ msg }) => msg === 'Routes registered')!;
    const served = routes
      .filter((route) => !route.startsWith('HEAD ') && !OWN.test(route))
      .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
    expect(served.sort()).toEqual(
      operations()
        .map(({ route }) => route)
        .sort(),
    );
  });

  it('has examples that match its schemas', () => {
    let examples = 0;
    const bodies = operations().flatMap(({ operation }) => [
      ...(operation.requestBody ? [operation.requestBody] : []),
      ...Object.values(operation.responses),
    ]);
    for (const body of bodies) {
      const media = jsonOf(body);
      if (!media) continue;
      const values = media.examples
        ? Object.values(media.examples).map(({ value }) => value)
        : [media.example];
      for (const value of values) {
        expect(value).toBeDefined();
        expect([value, faultsOf(media, value)]).toEqual([value, []]);
        examples += 1;
      }
    }
    expect(examples).toBeGreaterThan(30);
  });

  it('names every error of the table under its status', () => {
    const described = new Map<string, Set<string>>();
    const responses = operations().flatMap(({ operation }) => Object.entries(operation.responses));
    for (const [status, body] of responses) {
      const text = JSON.stringify(body);
      described.set(status, (described.get(status) ?? new Set()).add(text));
    }
    const { NOT_FOUND: notFound, ...others } = errorTable;
    expect(document.info.description).toContain(notFound.message.replace('{detail}', '').trim());
    for (const [code, { status, message }] of Object.entries(others)) {
      const texts = [...(described.get(String(status)) ?? [])];
      const words = JSON.stringify(message.replace('{detail}', '').trim().split(':')[0]).slice(
        1,
        -1,
      );
      const named = texts.some((text) => text.includes(`"${code}"`) || text.includes(`"${words}"`));
      expect([code, named]).toEqual([code, true]);
    }
  });

  it('requires a token exactly where the gateway does', async () => {
    // Tests before this one keep the process busy for so long that the gateway may have closed the
    // connections of `fetch`.
    const own = { from: '127.0.0.1', timeoutMs: 60_000 };
    for (const { route, operation } of operations()) {
      const [method, path] = route.split(' ') as ['GET' | 'POST', string];
      const { status } = await sendHttp(url, { method, path, ...own });
      const { security = [] } = operation;
      expect([route, operation.security]).toEqual([route, expect.any(Array)]);
      const needsToken =
        security.length > 0 && security.every((one) => Object.keys(one).length > 0);
      expect([route, status === 401]).toEqual([route, needsToken]);
    }
  });

  it('matches real answers', async () => {
    const { application } = system;
    const check = (route: string, status: number, body: unknown) => {
      const found = operations().find((one) => one.route === route)!;
      const media = jsonOf(found.operation.responses[String(status)]);
      expect(media).toBeDefined();
      expect(faultsOf(media!, body)).toEqual([]);
    };
    const { reservation, answer } = await sponsor(application);
    check('POST /v1/execute_tx', answer.status, answer.body);
    check('POST /v1/reserve_gas', 200, { result: reservation });
    const refused = await reserveGas(application, 0);
    check('POST /v1/reserve_gas', refused.status, refused.body);
    const without = { ...application, token: '' };
    const get = async (path: string, method: 'GET' | 'POST' = 'GET', body?: object) => {
      for (const caller of [application, without]) {
        const real = await call(caller, method, path, body);
        check(`${method} ${path}`, real.status, real.body);
      }
    };
    await get('/');
    await get('/version');
    await get('/health/live');
    await get('/health/ready');
    await get('/health/dependencies');
    await get('/v1/reload_access_controller');
    await get('/debug_health_check', 'POST');
    const id = reservation.reservation_id;
    const found = await call(application, 'GET', `/v1/sponsorships/${id}`);
    check('GET /v1/sponsorships/{reservation_id}', found.status, found.body);
    const lists = ['sponsorships', 'sponsorships/count', 'refusals', 'usage', 'latency'];
    for (const list of lists) await get(`/v1/${list}`);
    const query = ['All', null, 1, 'Ascending'];
    await get('/rpc', 'POST', { jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params: query });
    await get('/rpc', 'POST', { jsonrpc: '2.0', id: 1, method: 'no_such', params: [] });
  });

  it('matches the effects of a real node, and no documented field of another form', () => {
    const schema = { $ref: '#/components/schemas/TransactionEffects' };
    const pathsOf = (effects: object) => {
      const validate = validatorOf(schema);
      return validate(effects) ? [] : validate.errors!.map(({ instancePath }) => instancePath);
    };
    const recorded = readRpcRecording().flatMap(({ answer }) => {
      const { effects } = (answer.result ?? {}) as { readonly effects?: { gasObject: object } };
      return effects ? [effects] : [];
    });
    expect(recorded.length).toBeGreaterThan(20);
    for (const effects of recorded) expect([effects, pathsOf(effects)]).toEqual([effects, []]);
    const [effects] = recorded;
    expect(pathsOf({ ...effects, abortError: { function: 'f' } })).toEqual([]);
    const { gasObject } = effects!;
    for (const [path, broken] of [
      ['/gasObject/owner', { gasObject: { ...gasObject, owner: { AddressOwner: 5 } } }],
      ['/modifiedAtVersions/0', { modifiedAtVersions: [{ sequenceNumber: '3' }] }],
      ['/gasUsed', { gasUsed: { computationCost: '1' } }],
      ['/deleted/0', { deleted: [gasObject] }],
    ] as const) {
      const paths = pathsOf({ ...effects, ...broken });
      expect([path, paths.includes(path)]).toEqual([path, true]);
    }
  });

  it('is readable on a page that loads nothing from elsewhere', async () => {
    const page = await fetch(`${url}/docs`);
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain('http');
    const html = await page.text();
    const loaded = [...html.matchAll(/(?:src|href)="(?<where>[^"]+)"/g)].map(
      ({ groups }) => new URL(groups!['where']!, `${url}/docs`),
    );
    expect(loaded.length).toBeGreaterThan(3);
    for (const where of loaded) {
      expect(where.origin).toBe(new URL(url).origin);
      expect([where.pathname, (await fetch(where)).status]).toEqual([where.pathname, 200]);
    }
    expect(html).not.toMatch(/<script>[^<]/);
  });
});
