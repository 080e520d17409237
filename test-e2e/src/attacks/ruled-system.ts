import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from '../application.js';
import { startTestSystem, type TestSystem } from '../test-system.js';

/** A system whose access rules a test exchanges as it goes. */
export interface RuledSystem {
  readonly system: TestSystem;
  /** Puts these rules into force, after `access-policy: deny-all` unless another is named. */
  readonly setRules: (rules: string, policy?: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startRuledSystem(): Promise<RuledSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'attacked-rules-'));
  const file = join(folder, 'rules.yaml');
  writeFileSync(file, 'access-controller:\n  access-policy: deny-all\n');
  const env = { ACCESS_RULES_FILE: file, WATCH_ACCESS_FILES: 'false', POOL_TARGET_COINS: '20' };
  const system = await startTestSystem({ env });
  return {
    system,
    setRules: async (rules, policy = 'deny-all') => {
      const text = `access-controller:\n  access-policy: ${policy}\n  rules:\n${rules}\n`;
      writeFileSync(file, text);
      const answer = await call(system.application, 'GET', '/v1/reload_access_controller');
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    },
    stop: async () => {
      await system.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
