#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { Failure, runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';
import { runMeasurement } from './run-measurement.mjs';

const HELP = `npm run verify:kubernetes

Applies every overlay and component of docker/kubernetes to a real kube-apiserver of the oldest and of the newest supported
release, which refuses fields that it does not know, and has it admit the pods with Pod Security "restricted" enforced. Builds
etcd, kube-apiserver and kustomize with Go, at the versions of test-e2e/kubernetes-servers: the first time this takes about an
hour. Everything listens on loopback.
There is no kubelet: nothing that was applied runs.`;

const MODULE = join(root, 'test-e2e', 'kubernetes-servers', 'newest', 'go.mod');

await runCommand(async () => {
  if (readOptions(HELP, {}) === null) return 0;
  requireGo();
  return runMeasurement(['deployment', 'kubernetes-api', 'verify-kubernetes.js'], []);
});

/** Throws `Failure` when there is no Go that can build the module. */
function requireGo() {
  const [, wanted] = /^go (\S+)$/m.exec(readFileSync(MODULE, 'utf8'));
  // Outside the module, for whose version the installed Go might be too old to say its own.
  const { stdout, error } = spawnSync('go', ['env', 'GOVERSION'], { cwd: tmpdir() });
  const installed = error ? null : String(stdout).trim().replace(/^go/, '');
  const isRecent = installed?.localeCompare(wanted, 'en', { numeric: true }) >= 0;
  if (isRecent) return;
  const found = installed === null ? 'Go is not installed' : `Go ${installed} is too old`;
  throw new Failure(
    `${found}: etcd, kube-apiserver and kustomize are built with Go ${wanted} or later, from https://go.dev/doc/install`,
  );
}
