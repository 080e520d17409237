import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Its capabilities have 5 000 lines. */
const LONGEST_OUTPUT = 16 * 2 ** 20;

/** The function that IOTA's gas station adds to Rego, as OPA's compiler declares functions. */
const DECODE_TYPED = {
  name: 'bcs.decode_typed',
  decl: {
    type: 'function',
    args: [{ type: 'any' }, { type: 'string' }],
    result: { type: 'any' },
  },
};

export interface CompileRequest {
  /** Path of the Rego source. */
  readonly source: string;
  /** Such as `data.matchers.allowed`, at least one. */
  readonly rules: readonly string[];
  /** Path of the compiled policy. */
  readonly out: string;
  /** OPA's program. */
  readonly opa: string;
}

/**
 * Compiles Rego source with OPA for `rego-expression`, with `bcs.decode_typed`. Throws `Error` with OPA's
 * message.
 */
export async function compilePolicy({ source, rules, out, opa }: CompileRequest): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-rego-'));
  try {
    const output = await ask(opa, ['capabilities', '--current']);
    const capabilities = JSON.parse(output) as { readonly builtins: readonly object[] };
    const all = { ...capabilities, builtins: [...capabilities.builtins, DECODE_TYPED] };
    const [known, bundle] = [join(folder, 'capabilities.json'), join(folder, 'bundle.tar.gz')];
    await writeFile(known, JSON.stringify(all));
    const entrypoints = rules.flatMap((rule) => ['-e', rule.split('.').slice(1).join('/')]);
    await ask(opa, [
      'build',
      '-t',
      'wasm',
      '--capabilities',
      known,
      '-o',
      bundle,
      ...entrypoints,
      source,
    ]);
    await run('tar', ['-xzf', bundle, '-C', folder, '/policy.wasm']);
    await copyFile(join(folder, 'policy.wasm'), out);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function ask(opa: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(opa, args, { maxBuffer: LONGEST_OUTPUT });
    return stdout;
  } catch (cause) {
    const { code, stderr = '' } = cause as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') {
      throw new Error(
        `there is no program ${opa}: install OPA (openpolicyagent.org) or name it with --opa`,
        { cause },
      );
    }
    throw new Error(stderr.trim() || (cause as Error).message, { cause });
  }
}
