import { ForecourtError, nameOfUser, type RefusedRequest } from '@forecourt/contracts';
import { CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import { answerError } from '../http/answer-error.js';
import { RefusalRecorder } from './refusal-recorder.js';
import { setCaller } from '../access/request-caller.js';
import { type RefusedSubject, refusedSubjectOf } from '../http/refused-subject.js';

const USER = `0x${'a'.repeat(64)}`;
const caller = { ...CONFIGURED_CALLER, name: nameOfUser('shop', USER), token: 'shop' };

let server: FastifyInstance;
let recorded: RefusedRequest[];
/** The handler of the next request. */
let handle: (request: FastifyRequest) => void;

beforeEach(() => {
  recorded = [];
  handle = () => undefined;
  server = fastify({ genReqId: () => 'request-1' });
  new RefusalRecorder(partial({ add: (refused) => void recorded.push(refused) })).attachTo(server);
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.authorization !== undefined) setCaller(request, caller);
    done();
  });
  const answer = async (request: FastifyRequest, reply: Parameters<typeof answerError>[0]) => {
    await Promise.resolve();
    try {
      handle(request);
      return { result: 'fine' };
    } catch (error) {
      return answerError(reply, error as ForecourtError);
    }
  };
  server.post('/v1/execute_tx', { config: { admission: 'execute' } }, answer);
  server.post('/v1/other/:id', answer);
  server.post('/v1/records', { config: { admission: 'records' } }, answer);
});

const refuse = (error: ForecourtError, subject: RefusedSubject = {}) => {
  handle = (request) => {
    Object.assign(refusedSubjectOf(request), subject);
    throw error;
  };
};
const send = (url = '/v1/execute_tx', headers: Record<string, string> = { authorization: 'a' }) =>
  server.inject({ method: 'POST', url, headers });

describe('the record of a refused request', () => {
  it('has the route, the caller, the error and the facts about the request', async () => {
    refuse(new ForecourtError('FORBIDDEN', 'not this one'), {
      sender: USER,
      sponsor: '0x5',
      digest: 'D1',
      reservationId: 64,
      transaction: 'AAAA',
      facts: '5 60 1000 7 0',
      rule: 'ours',
    });
    const before = Date.now();
    expect((await send()).statusCode).toBe(403);
    expect(recorded).toEqual([
      {
        v: '1',
        at: expect.stringMatching(/^\d{13}$/),
        route: 'POST /v1/execute_tx',
        token: 'shop',
        user: USER,
        sender: USER,
        sponsor: '0x5',
        status: '403',
        code: 'FORBIDDEN',
        message: 'not this one',
        rule: 'ours',
        digest: 'D1',
        reservation: '64',
        request: 'request-1',
        transaction: 'AAAA',
        facts: '5 60 1000 7 0',
      },
    ]);
    expect(Number(recorded[0]!.at)).toBeGreaterThanOrEqual(before);
  });

  it('leaves unknown texts empty, and bounds long ones', async () => {
    refuse(new ForecourtError('INVALID_REQUEST', 'x'.repeat(5_000)), {
      transaction: 'A'.repeat(10_000),
    });
    await send();
    expect(recorded[0]).toMatchObject({ sender: '', digest: '', reservation: '', transaction: '' });
    expect(recorded[0]!.message).toHaveLength(1_000);
  });

  it('belongs to one request only', async () => {
    refuse(new ForecourtError('NO_COINS'), { digest: 'D1' });
    await send();
    refuse(new ForecourtError('NO_COINS'));
    await send();
    expect(recorded.map(({ digest }) => digest)).toEqual(['D1', '']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['one that succeeds', () => send()],
    [
      'one without a token',
      () => {
        refuse(new ForecourtError('UNAUTHORIZED'));
        return send('/v1/execute_tx', {});
      },
    ],
    [
      'one of a route that sponsors nothing',
      () => {
        refuse(new ForecourtError('FORBIDDEN', 'no'));
        return send('/v1/other/7');
      },
    ],
    [
      'one that reads records',
      () => {
        refuse(new ForecourtError('TRANSACTION_UNKNOWN', 'D1'));
        return send('/v1/records');
      },
    ],
    [
      'one whose reservation is bound',
      () => {
        refuse(new ForecourtError('REFUSED_BY_LEDGER', 'no'), { isBound: true });
        return send();
      },
    ],
    [
      'one whose outcome is unknown',
      () => {
        refuse(new ForecourtError('OUTCOME_UNKNOWN', 'D1'));
        return send();
      },
    ],
  ])('is not made for %s', async (_which, request) => {
    await request();
    expect(recorded).toEqual([]);
  });
});
