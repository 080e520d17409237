import { useStarted } from '@forecourt/testing/jest';
import { setRules as setAllRules, system } from '../../support/systems/rules-system.js';
import { createAttacker } from '../attacker.js';

export const attacker = useStarted(() => createAttacker(system));

/** Applies these rules, after `access-policy: deny-all` unless another policy is named. */
export function setRules(rules: string, policy = 'deny-all'): Promise<void> {
  return setAllRules(`  access-policy: ${policy}\n  rules:\n${rules}`);
}
