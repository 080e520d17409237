import { useStarted } from '@forecourt/testing/jest';
import { call } from '../../application.js';
import { useSystem } from '../../use-system.js';
import { createAttacker } from '../attacker.js';

const FILE = 'rules.yaml';

/** A system whose access rules tests exchange as they go. */
export const system = useSystem((files) => ({
  env: {
    ACCESS_RULES_FILE: files.write(FILE, 'access-controller:\n  access-policy: deny-all\n'),
    WATCH_ACCESS_FILES: 'false',
  },
}));

export const attacker = useStarted(() => createAttacker(system));

/** Puts these rules into force, after `access-policy: deny-all` unless another is named. */
export async function setRules(rules: string, policy = 'deny-all'): Promise<void> {
  system.files.write(FILE, `access-controller:\n  access-policy: ${policy}\n  rules:\n${rules}\n`);
  const answer = await call(system.application, 'GET', '/v1/reload_access_controller');
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}
