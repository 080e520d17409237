import type { AccessSubject } from '../access-subject.js';
import { AccessUndecided } from '../access-undecided.js';
import type { ReadCondition } from '../conditions/condition.js';
import { askOpaServer } from './ask-opa-server.js';
import { loadCompiledPolicy } from './load-compiled-policy.js';
import { readFromHttp, readFromRedis } from './read-policy-source.js';
import { splitCredentials } from './split-credentials.js';

const RULE_PATH = /^data(?:\.[A-Za-z_][A-Za-z0-9_]*)+$/;
const LOCATIONS = ['file', 'http', 'redis', 'opa-server'];

/**
 * `rego-expression`: a policy that OPA has compiled, from a file, a URL or a Redis, or one that an OPA server evaluates.
 * The input is `{transaction_data}`, as in IOTA's gas station. A policy that fails, or returns neither true nor false,
 * decides against the transaction.
 */
export const readRego: ReadCondition = async (value, { readFile }) => {
  const map = value.map();
  const location = map.require('location-type').text();
  const rulePath = map.require('rego-rule-path').parse((text) => {
    if (!RULE_PATH.test(text)) throw new Error('must be the path of a rule, such as data.a.allow');
    return text.split('.').slice(1).join('/');
  });
  const path = map.take('path');
  const url = map.take('url');
  const redisKey = map.take('redis-key');
  map.refuseOthers();
  if (!LOCATIONS.includes(location)) {
    value.fail(`must have a location-type that is one of ${LOCATIONS.join(', ')}, not ${location}`);
  }
  const named = path ?? url ?? value.fail(`has no ${location === 'file' ? 'path' : 'url'}`);
  const evaluate =
    location === 'opa-server'
      ? askOpaServer(named.parse(splitCredentials), rulePath)
      : await load(await readSource());
  return async (subject, quantifier) => {
    const whenUndecided = quantifier === 'any';
    try {
      const result = await evaluate({ transaction_data: subject.transactionJson() }, subject);
      return typeof result === 'boolean' ? result : whenUndecided;
    } catch (error) {
      if (error instanceof AccessUndecided) throw error;
      return whenUndecided;
    }
  };

  function load(source: Buffer): Promise<(input: unknown, by: AccessSubject) => unknown> {
    return loadCompiledPolicy(source, rulePath).catch(refuse);
  }

  function readSource(): Promise<Buffer> {
    if (location === 'file') return readFile(named);
    const source =
      location === 'http'
        ? readFromHttp(named.parse(splitCredentials))
        : readFromRedis(named.text(), redisKey?.text() ?? missingKey());
    return source.catch(refuse);
  }

  function missingKey(): never {
    return value.fail('has no redis-key');
  }

  function refuse(error: unknown): never {
    return value.fail(`cannot be used: ${(error as Error).message}`);
  }
};
