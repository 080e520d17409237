import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../workspace/failure.js';
import { ROOT } from '../workspace/workspace-config.js';

const MANIFESTS = 'kubernetes';
const BASES = [
  'Dockerfile',
  'compose.yaml',
  'helm/forecourt/values.yaml',
  `${MANIFESTS}/local.yaml`,
];
const PRODUCTION = 'helm/values/production.yaml';
/** Images of others, by name and version. */
const BASE =
  /\b((?:node|redis|prom\/prometheus|grafana\/grafana):v?\d+\.\d+\.\d+(?:-[\w-]+)?)(@sha256:[0-9a-f]{64})?/g;
const OWN = /repository: (.*)\n(\s*)digest: (.*)/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const NO_DIGEST = `sha256:${'0'.repeat(64)}`;

interface PinOptions {
  readonly own?: string;
  readonly check?: boolean;
  readonly folder: string;
}

/** `pin-images`. */
export function pinImagesCommand(command: Command): Command {
  return command
    .option(
      '--own <image>',
      'the image of the services that you have pushed, such as registry.example.com/forecourt:1.0.0: its digest is written into the values of production and the manifests',
    )
    .option(
      '--check',
      'ask nothing and change nothing; end with 1 and the list when an image has no digest',
    )
    .option('--folder <folder>', 'where the files are', join(ROOT, 'docker'))
    .addHelpText(
      'after',
      `
Asks the registries for the digests of the images that are named in docker/ and writes them there, so that exactly the
images that were examined run. Needs docker with buildx, and access to the registries.`,
    )
    .action(pinImages);
}

function pinImages({ own, check, folder }: PinOptions): void {
  if (check) {
    const missing = unpinned(folder);
    for (const line of missing) process.stdout.write(`${line}\n`);
    process.stdout.write(`${missing.length === 0 ? 'every' : 'not every'} image has a digest\n`);
    if (missing.length > 0) process.exitCode = 1;
    return;
  }
  const digests = new Map<string, string>();
  const digestOf = (image: string) => {
    if (!digests.has(image)) digests.set(image, askDigest(image));
    return digests.get(image)!;
  };
  for (const file of BASES) {
    edit(join(folder, file), (text) =>
      text.replace(BASE, (_, image: string) => `${image}@${digestOf(image)}`),
    );
  }
  if (own !== undefined) {
    const name = own.replace(/@.*$/, '').replace(/:[^:/]*$/, '');
    const digest = digestOf(own);
    const values = readFileSync(join(folder, PRODUCTION), 'utf8');
    const [, repository, , before] = OWN.exec(values)!;
    edit(join(folder, PRODUCTION), (text) =>
      text.replace(
        OWN,
        (_, __, indent: string) => `repository: ${name}\n${indent}digest: ${digest}`,
      ),
    );
    for (const file of readdirSync(join(folder, MANIFESTS))) {
      edit(join(folder, MANIFESTS, file), (text) =>
        text.replaceAll(`image: ${repository}@${before}`, `image: ${name}@${digest}`),
      );
    }
  }
}

/** Describes the images without a digest. */
function unpinned(folder: string): string[] {
  const bases = BASES.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(BASE)]
      .filter(([, , digest]) => digest === undefined)
      .map(([, image]) => `${file}: ${image} has no digest`),
  );
  const production = readFileSync(join(folder, PRODUCTION), 'utf8');
  const isPinned = /digest: sha256:[0-9a-f]{64}$/m.test(production);
  if (isPinned && !production.includes(NO_DIGEST)) return bases;
  return [...bases, `${PRODUCTION}: the image of the services has no digest; name it with --own`];
}

/** Reads the digest of an image from its registry. Throws `Failure`. */
function askDigest(image: string): string {
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  const { status, stdout, stderr, error } = spawnSync('docker', args, { encoding: 'utf8' });
  if (error !== undefined || status !== 0) {
    throw new Failure(
      `the digest of ${image} cannot be read from its registry: ${error?.message ?? stderr}`,
    );
  }
  const digest = stdout.trim();
  if (!DIGEST.test(digest)) throw new Failure(`docker gave no digest of ${image}, but ${digest}`);
  process.stdout.write(`${image} is ${digest}\n`);
  return digest;
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
