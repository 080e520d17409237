import { readFileSync } from 'node:fs';
import { beforeAll } from '@jest/globals';
import { call } from '../application.js';
import { tokenEntry, tokensFile } from '../tokens-file.js';
import { useSharedSystem } from '../use-system.js';

export const GATEWAYS = 10;
export const COINS = 120;

/** A system with exchangeable access rules, and with enough gateways to spend concurrently. */
export const system = useSharedSystem('access-rules', (files) => ({
  gateways: GATEWAYS,
  env: {
    // Beside the caller of the configured token.
    TOKENS_FILE: files.write('tokens.yaml', tokensFile(tokenEntry('shop'))),
    ACCESS_RULES_FILE: files.write(
      'rules.yaml',
      'access-controller:\n  access-policy: allow-all\n',
    ),
    ACCESS_AUDIT_FILE: files.pathOf('audit.jsonl'),
    ACCESS_HOOK_SECRET: 'shared',
    POOL_TARGET_COINS: String(COINS),
  },
}));

/** Applies these rules at every gateway. */
export async function setRules(lines: string): Promise<void> {
  system.files.write('rules.yaml', `access-controller:\n${lines}\n`);
  const answer = await call(system.application, 'GET', '/v1/reload_access_controller');
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

// An earlier test file may have left other rules.
beforeAll(() => setRules('  access-policy: allow-all'));

interface Audited {
  readonly stage: string;
  readonly outcome: string;
  readonly rule: string | null;
  readonly digest: string;
  readonly dryRun?: boolean;
}

/**
 * Waits until the access audit, which is written in batches, has this many of the decisions that are asked
 * for.
 */
export async function untilAudited(
  isWanted: (decision: Audited) => boolean,
  count: number,
): Promise<Audited[]> {
  let wanted: Audited[] = [];
  await system.until(async () => {
    wanted = audited().filter(isWanted);
    return wanted.length >= count;
  });
  return wanted;
}

function audited(): Audited[] {
  return readFileSync(system.files.pathOf('audit.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Audited);
}
