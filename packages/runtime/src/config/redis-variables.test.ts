import { describe, expect, it } from '@jest/globals';
import { readConfig } from './read-config.js';
import { checkRedis, redisVariables } from './redis-variables.js';

const read = (environment: Record<string, string>) =>
  readConfig(redisVariables, environment, checkRedis);

describe('redisVariables', () => {
  it('name one local server by default', () => {
    expect(read({})).toEqual({
      redisUrls: ['redis://127.0.0.1:6379'],
      redisMode: 'single',
      redisSentinelMaster: 'mymaster',
      redisSentinelPassword: null,
    });
  });

  it('keep a single URL unchanged, including commas in its password', () => {
    const url = 'rediss://user:a,b@host:1/2?family=6';
    expect(read({ REDIS_URL: url }).redisUrls).toEqual([url]);
  });

  it('accept several nodes or sentinels', () => {
    const nodes = { REDIS_URL: 'redis://a:1, redis://b:2/', REDIS_MODE: 'cluster' };
    expect(read(nodes).redisUrls).toEqual(['redis://a:1', 'redis://b:2/']);
    const sentinels = { REDIS_URL: 'redis://a:1/3,redis://b:2/3', REDIS_MODE: 'sentinel' };
    expect(read(sentinels).redisMode).toBe('sentinel');
  });

  it.each([
    [{ REDIS_URL: 'redis://a,redis://b' }, 'set REDIS_MODE'],
    [{ REDIS_URL: 'redis://a,http://b' }, 'must be a URL'],
    [{ REDIS_URL: 'redis://a/1', REDIS_MODE: 'cluster' }, 'a cluster has only one'],
    [
      { REDIS_URL: 'redis://a,rediss://b', REDIS_MODE: 'cluster' },
      'differ in more than host and port',
    ],
    [
      { REDIS_URL: 'redis://:x@a,redis://b', REDIS_MODE: 'sentinel' },
      'differ in more than host and port',
    ],
    [{ REDIS_MODE: 'many' }, 'must be one of'],
  ])('refuse %j', (environment, message) => {
    expect(() => read(environment)).toThrow(message);
  });
});
