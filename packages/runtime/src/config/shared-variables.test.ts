import { describe, expect, it } from '@jest/globals';
import { readConfig } from './read-config.js';
import {
  checkFleetSecret,
  checkRedis,
  fleetSecretVariables,
  ledgerVariables,
  redisVariables,
} from './shared-variables.js';

const readFleet = (environment: Record<string, string>) =>
  readConfig(fleetSecretVariables, environment, checkFleetSecret);
const SECRET = 'a-secret-of-a-fleet-of-32-or-more-characters';

describe('fleetSecretVariables', () => {
  it('require the fleet secret unless ALLOW_UNAUTHENTICATED_FLEET is set', () => {
    expect(() => readFleet({})).toThrow(
      /FLEET_SECRET is not set.*ALLOW_UNAUTHENTICATED_FLEET=true/s,
    );
    expect(readFleet({ ALLOW_UNAUTHENTICATED_FLEET: 'true' }).fleetSecrets).toEqual([]);
    expect(readFleet({ FLEET_SECRET: SECRET }).fleetSecrets).toEqual([SECRET]);
  });

  it('accept a second secret for a rotation', () => {
    expect(readFleet({ FLEET_SECRET: `new-${SECRET},${SECRET}` }).fleetSecrets).toHaveLength(2);
  });

  it('refuse a short secret without showing any', () => {
    const short = 'only-31-characters-are-too-few!';
    const reading = () => readFleet({ FLEET_SECRET: `${SECRET},${short}` });
    expect(reading).toThrow(
      'FLEET_SECRET must be a list of secrets of at least 32 characters each',
    );
    expect(reading).not.toThrow(short);
    expect(reading).not.toThrow(SECRET);
  });
});

const readRedis = (environment: Record<string, string>) =>
  readConfig(redisVariables, environment, checkRedis);

describe('redisVariables', () => {
  it('name one local server by default', () => {
    expect(readRedis({})).toEqual({
      redisUrls: ['redis://127.0.0.1:6379'],
      redisMode: 'single',
      redisSentinelMaster: 'mymaster',
      redisSentinelPassword: null,
    });
  });

  it('keep a single URL unchanged, including commas in its password', () => {
    const url = 'rediss://user:a,b@host:1/2?family=6';
    expect(readRedis({ REDIS_URL: url }).redisUrls).toEqual([url]);
  });

  it('accept several nodes or sentinels', () => {
    const nodes = { REDIS_URL: 'redis://a:1, redis://b:2/', REDIS_MODE: 'cluster' };
    expect(readRedis(nodes).redisUrls).toEqual(['redis://a:1', 'redis://b:2/']);
    const sentinels = { REDIS_URL: 'redis://a:1/3,redis://b:2/3', REDIS_MODE: 'sentinel' };
    expect(readRedis(sentinels).redisMode).toBe('sentinel');
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
    expect(() => readRedis(environment)).toThrow(message);
  });
});

/** A node's time limit for finality. */
const NODE_WAITS_MS = 30_000;

const readLedger = (environment: Record<string, string>) =>
  readConfig(ledgerVariables, environment);

describe('ledgerVariables', () => {
  it('name one local node by default, with a time limit above that of finality', () => {
    const config = readLedger({});
    expect(config.ledgerUrls).toEqual(['http://127.0.0.1:9000']);
    expect(config.ledgerReadUrls).toEqual([]);
    expect(config.ledgerHeaders).toEqual({});
    expect(config.ledgerTimeoutMs).toBeGreaterThan(NODE_WAITS_MS);
  });

  it('accept several nodes in order of preference', () => {
    const urls = { LEDGER_URL: 'https://a, https://b/x', LEDGER_READ_URL: 'http://c,http://d' };
    expect(readLedger(urls)).toMatchObject({
      ledgerUrls: ['https://a', 'https://b/x'],
      ledgerReadUrls: ['http://c', 'http://d'],
    });
  });

  it('accept nodes that speak JSON-RPC and nodes that speak gRPC in one list', () => {
    const urls = { LEDGER_URL: 'grpcs://a,http://b', LEDGER_READ_URL: 'grpc://c:50051' };
    expect(readLedger(urls)).toMatchObject({
      ledgerUrls: ['grpcs://a', 'http://b'],
      ledgerReadUrls: ['grpc://c:50051'],
    });
  });

  it('report a problem without showing a header', () => {
    const environment = { LEDGER_URL: 'ftp://a', LEDGER_HEADERS: 'Bearer secret-value' };
    expect(() => readLedger(environment)).toThrow(
      /LEDGER_URL must .*http.*[^]*LEDGER_HEADERS must /,
    );
    expect(() => readLedger(environment)).not.toThrow('secret-value');
  });
});
