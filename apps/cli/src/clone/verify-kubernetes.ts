import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../workspace/failure.js';
import { runOfTests } from '../workspace/prepare.js';
import { ROOT } from '../workspace/workspace-config.js';
import { compareVersions } from './compare-versions.js';
import { RENDERED, runTests, USUAL } from './test-command.js';

const MODULE = join(ROOT, 'test-e2e', 'kubernetes-servers', 'newest', 'go.mod');

/** `npm run verify -- kubernetes`. */
export function kubernetesCommand(command: Command): Command {
  return command
    .addHelpText(
      'after',
      `
Checks the Helm chart as npm run verify -- chart does. Applies the objects of every combination of values to a real kube-apiserver of the
oldest and of the newest supported release, which refuses fields that it does not know, and has it admit the pods with Pod Security
"restricted" enforced. Builds Helm, etcd and kube-apiserver with Go, at the versions of test-e2e/kubernetes-servers: the first time
this takes about an hour. Everything listens on loopback.
There is no kubelet: nothing that was applied runs.`,
    )
    .action(async () => {
      requireGo();
      process.exitCode = await runOfTests(
        ['deployment', 'kubernetes-api', 'verify-kubernetes.js'],
        [],
      );
    });
}

/** `npm run verify -- chart`. */
export function chartCommand(command: Command): Command {
  return command
    .option('--write', 'render docker/kubernetes first')
    .addHelpText(
      'after',
      `
Checks the Helm chart in docker/helm/forecourt with Helm: lints it with every file of docker/helm/values, sets values that it must
refuse, compares docker/kubernetes with what it renders, and tests the objects of every combination of values. Builds Helm with Go,
at the version of test-e2e/kubernetes-servers/helm: the first time this takes minutes.`,
    )
    .action(async ({ write }: { readonly write?: boolean }) => {
      requireGo();
      const flags = write ? ['--write'] : [];
      const path = ['deployment', 'kubernetes-api', 'verify-chart.js'];
      process.exitCode = await runOfTests(path, flags);
      if (process.exitCode === 0) {
        await runTests(USUAL, ['--selectProjects', 'e2e', '--testPathPatterns', RENDERED]);
      }
    });
}

/** Throws `Failure` when there is no Go that can build the module. */
function requireGo(): void {
  const [, wanted] = /^go (\S+)$/m.exec(readFileSync(MODULE, 'utf8'))!;
  // Outside the module and where no other user can put one, for whose version the installed Go might be too
  // old to print its own.
  const go = spawnSync('go', ['env', 'GOVERSION'], { cwd: parse(ROOT).root, encoding: 'utf8' });
  const installed = go.error ? null : go.stdout.trim().replace(/^go/, '');
  if (installed !== null && compareVersions(installed, wanted!) >= 0) return;
  const found = installed === null ? 'Go is not installed' : `Go ${installed} is too old`;
  throw new Failure(
    `${found}: Helm, etcd and kube-apiserver are built with Go ${wanted} or later, from https://go.dev/doc/install`,
  );
}
