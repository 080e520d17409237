import { writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { runStart, startUp } from './run-start.js';

const START_MS = 150_000;

/** A data folder whose access rules sponsor nothing. */
function withRules<T>(use: (folder: string, env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
  const data = new TemporaryFolder();
  const rules = `${data.path}/rules.yaml`;
  writeFileSync(rules, 'access-controller:\n  access-policy: deny-all\n  rules: []\n');
  return use(data.path, { ACCESS_RULES_FILE: rules }).finally(() => data.remove());
}

it(
  'npm start keeps running where access rules refuse its sample transaction, and says so',
  () =>
    withRules(async (folder, env) => {
      const started = await startUp(folder, env);
      try {
        expect(started.said).toMatch(/WARNING: the sample failed: .*access/i);
        expect((await fetch(started.gatewayUrl)).status).toBe(200);
      } finally {
        await started.stop();
      }
    }),
  START_MS,
);

it(
  'npm start -- --once ends with an error in that case',
  () =>
    withRules(async (folder, env) => {
      const { code, result, said } = await runStart({ FORECOURT_DATA: folder, ...env });
      expect([code, result, said]).toEqual([1, {}, expect.stringMatching(/access/i)]);
    }),
  START_MS,
);
