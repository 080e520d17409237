import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hashToken } from '@forecourt/policy/tokens';
import { Metrics } from '@forecourt/runtime/metrics';
import { createLogger } from '@forecourt/runtime/service';
import { partial, TemporaryFolder } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/system';
import { AccessAudit } from './access-audit.js';
import { AccessFilesWatcher } from './access-files-watcher.js';
import { AccessPolicy } from './access-policy.js';
import type { FleetReload } from './fleet-reload.js';

const logger = createLogger('gateway', 'error');
/** A time that every version of a file has, as if nothing had been written. */
const WRITTEN_AT = new Date('2026-01-01T00:00:00Z');

/** A Secret that is mounted as the kubelet does it: each version in a separate folder, behind one link. */
class MountedSecret {
  readonly #folder = new TemporaryFolder();
  #versions = 0;

  /** The path of a key, which stays the same. */
  pathOf(key: string): string {
    return this.#folder.pathOf(key);
  }

  /** Exchanges all keys at once. */
  exchange(data: Readonly<Record<string, string>>): void {
    const before = `..version-${this.#versions}`;
    const after = `..version-${++this.#versions}`;
    mkdirSync(this.pathOf(after));
    for (const [key, text] of Object.entries(data)) {
      const file = join(this.pathOf(after), key);
      writeFileSync(file, text);
      utimesSync(file, WRITTEN_AT, WRITTEN_AT);
    }
    symlinkSync(after, this.pathOf('..data_tmp'));
    renameSync(this.pathOf('..data_tmp'), this.pathOf('..data'));
    if (this.#versions > 1) rmSync(this.pathOf(before), { recursive: true });
    else for (const key of Object.keys(data)) symlinkSync(`..data/${key}`, this.pathOf(key));
  }

  remove(): void {
    this.#folder.remove();
  }
}

/** A file of one token, which always has the same length. */
const tokensFile = (token: string) =>
  `tokens:\n  - name: shop\n    hash: ${hashToken(token).toString('hex')}\n    role: sponsor\n`;
const RULES = 'access-controller:\n  access-policy: deny-all\n  rules: []\n';

describe('AccessFilesWatcher', () => {
  let secret: MountedSecret;
  let access: AccessPolicy;
  let watcher: AccessFilesWatcher;
  /** Called after the files have been read again, before they are watched further. */
  let afterReading: () => void;
  let mistakes: number;

  beforeEach(async () => {
    secret = new MountedSecret();
    mount('first-token');
    const settings = {
      tokens: [],
      allowUnauthenticated: false,
      tokensFile: secret.pathOf('tokens.yaml'),
      accessRulesFile: secret.pathOf('rules.yaml'),
      accessAuditFile: null,
      accessAuditRequired: false,
    };
    access = await AccessPolicy.load(
      settings,
      new AccessAudit(partial(settings), new Metrics(), logger),
      logger,
    );
    afterReading = () => undefined;
    mistakes = 0;
    const reload: Pick<FleetReload, 'reloadHere'> = {
      reloadHere: async () => {
        try {
          await access.reload(logger);
        } catch (error) {
          mistakes++;
          return (error as Error).message;
        }
        afterReading();
        return null;
      },
    };
    watcher = new AccessFilesWatcher(access, reload as FleetReload, logger);
    watcher.onApplicationBootstrap();
  });
  afterEach(() => {
    watcher.onApplicationShutdown();
    secret.remove();
  });

  const mount = (token: string) =>
    secret.exchange({ 'tokens.yaml': tokensFile(token), 'rules.yaml': RULES });
  const isKnown = async (token: string) =>
    (await access.tokens.callerOf(`Bearer ${token}`)) !== null;
  const untilKnown = (token: string) =>
    waitUntil(async () => isKnown(token), { what: `the token ${token}`, timeoutMs: 10_000 });

  it('reads a mounted Secret again when Kubernetes exchanges it, every time', async () => {
    expect(await isKnown('first-token')).toBe(true);
    for (const [before, after] of [
      ['first-token', 'other-token'],
      ['other-token', 'third-token'],
    ] as const) {
      mount(after);
      await untilKnown(after);
      expect(await isKnown(before)).toBe(false);
    }
  });

  it('notices an exchange between the reading of the files and the start of the service', async () => {
    watcher.onApplicationShutdown();
    mount('other-token');
    watcher.onApplicationBootstrap();
    await untilKnown('other-token');
  });

  it('notices an exchange while it reads the one before', async () => {
    afterReading = () => {
      afterReading = () => undefined;
      mount('third-token');
    };
    mount('other-token');
    await untilKnown('third-token');
    expect(await isKnown('other-token')).toBe(false);
  });

  it('keeps the previous files while one has a mistake, until it is exchanged', async () => {
    secret.exchange({ 'tokens.yaml': 'tokens: nonsense\n', 'rules.yaml': RULES });
    await waitUntil(async () => mistakes > 0, { what: 'the mistake', timeoutMs: 10_000 });
    expect(await isKnown('first-token')).toBe(true);
    mount('other-token');
    await untilKnown('other-token');
    expect(mistakes).toBe(1);
  });
});
