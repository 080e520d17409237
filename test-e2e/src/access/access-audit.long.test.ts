import { readFileSync, renameSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@forecourt/testing/system';
import { sponsor } from '../support/application.js';
import { startGateway } from '../support/start-gateway.js';
import { useSystem } from '../support/use-system.js';

const system = useSystem();

/** Opens, and has no room. */
const FULL_DISK = '/dev/full';

/** Makes `path` another file at once, as a rotation or a new volume does. */
function pointTo(path: string, target: string): void {
  symlinkSync(target, `${path}.new`);
  renameSync(`${path}.new`, path);
}

describe('an access audit on a full disk', () => {
  it.each([
    ['goes on', 'false', 200],
    ['stops if the audit is required', 'true', 503],
  ])(
    'is reported once while sponsoring %s, and is completed later',
    async (_, required, status) => {
      const audit = system.files.pathOf(`audit-${required}`);
      const disk = `${audit}.jsonl`;
      pointTo(audit, FULL_DISK);
      const settings = { ACCESS_AUDIT_FILE: audit, ACCESS_AUDIT_REQUIRED: required };
      const gateway = await startGateway(system, settings);
      const application = { ...system.application, url: gateway.options.url };
      const { answer: first, transaction } = await sponsor(application);
      expect(first.status).toBe(200);
      const failures = async () =>
        (await gateway.log()).match(/The access audit cannot be written/g);
      await waitUntil(async () => (await failures()) !== null, { what: 'the report' });
      const { answer } = await sponsor(application);
      expect(answer.status).toBe(status);
      expect((await fetch(`${application.url}/health/ready`)).status).toBe(200);
      pointTo(audit, disk);
      gateway.kill('SIGHUP');
      await waitUntil(async () => (await gateway.log()).includes('access audit is written again'), {
        what: 'the end of the outage',
      });
      expect(readFileSync(disk, 'utf8')).toContain(transaction.digest);
      expect((await sponsor(application)).answer.status).toBe(200);
      expect(await failures()).toHaveLength(1);
      await gateway.stop();
    },
  );

  it('does not delay the stop of a gateway', async () => {
    const gateway = await startGateway(system, { ACCESS_AUDIT_FILE: FULL_DISK });
    const application = { ...system.application, url: gateway.options.url };
    expect((await sponsor(application)).answer.status).toBe(200);
    gateway.kill('SIGTERM');
    expect(await gateway.exited()).toBe(0);
  });

  it('that cannot be opened is named before the gateway serves', async () => {
    const { output } = await system.tryGateway({ ACCESS_AUDIT_FILE: `${FULL_DISK}/audit.jsonl` });
    expect(output).toContain('ACCESS_AUDIT_FILE');
  });
});
