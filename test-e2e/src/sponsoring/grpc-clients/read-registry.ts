import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createFileRegistry, fromBinary, type Registry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** The project's descriptions. */
export const OUR_PROTO = fileURLToPath(
  new URL('../../../../packages/ledger/proto', import.meta.url),
);
const BUF = createRequire(import.meta.url).resolve('@bufbuild/buf/bin/buf');

/** The messages and services in a folder of `.proto` files. Throws `Error` with the compiler's words. */
export function readRegistry(folder: string): Registry {
  const work = mkdtempSync(join(tmpdir(), 'forecourt-messages-'));
  try {
    const image = join(work, 'image.binpb');
    execFileSync(process.execPath, [BUF, 'build', folder, '--as-file-descriptor-set', '-o', image]);
    return createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(image)));
  } finally {
    rmSync(work, { recursive: true });
  }
}

/**
 * The folder of the published `.proto` files, which a crate contains on which the programs in `folder`
 * depend.
 */
export function publishedProto(folder: string): string {
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, maxBuffer: 2 ** 26, encoding: 'utf8' }).trim();
  const host = run('rustc', '--print', 'host-tuple');
  const text = run('cargo', 'metadata', '--format-version', '1', '--filter-platform', host);
  const { packages } = JSON.parse(text) as {
    packages: { readonly name: string; readonly manifest_path: string }[];
  };
  const found = packages.find(({ name }) => name === 'iota-sdk-grpc-types');
  if (!found) throw new Error('the crate iota-sdk-grpc-types is not installed');
  return join(dirname(found.manifest_path), 'proto');
}
