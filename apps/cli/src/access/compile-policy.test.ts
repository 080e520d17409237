import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { compilePolicy } from './compile-policy.js';

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

/**
 * A program that answers as OPA does: it writes the capabilities that it is given into the bundle as
 * `policy.wasm`.
 */
function aCompiler(): string {
  const path = folder.pathOf('opa');
  writeFileSync(
    path,
    `#!/bin/sh
set -e
if [ "$1" = capabilities ]; then echo '{"builtins":[{"name":"eq"}]}'; exit; fi
if [ "$9" = bad ]; then echo '1 error occurred: policy.rego:3: rego_parse_error' >&2; exit 1; fi
work=$(mktemp -d); { cat "$5"; echo; echo "$@"; } > "$work/policy.wasm"
tar -czf "$7" -C "$work" --transform 's,^,/,' -P policy.wasm; rm -r "$work"
`,
  );
  chmodSync(path, 0o700);
  return path;
}

const request = (opa: string, rule = 'data.a.allow') => ({
  source: 'policy.rego',
  rules: [rule],
  out: folder.pathOf('out.wasm'),
  opa,
});

describe('compiling a Rego policy', () => {
  it('lets OPA know bcs.decode_typed and the rules that are asked', async () => {
    await compilePolicy(request(aCompiler()));
    const [capabilities, called] = readFileSync(folder.pathOf('out.wasm'), 'utf8').split('\n');
    const { builtins } = JSON.parse(capabilities!) as { builtins: { name: string }[] };
    expect(builtins.map(({ name }) => name)).toEqual(['eq', 'bcs.decode_typed']);
    expect(called).toMatch(/^build -t wasm .* -e a\/allow policy\.rego$/);
  });

  it('ends with OPA’s own message, or with the remedy where there is no OPA', async () => {
    await expect(compilePolicy(request(aCompiler(), 'data.bad'))).rejects.toThrow(
      '1 error occurred: policy.rego:3: rego_parse_error',
    );
    await expect(compilePolicy(request('/nowhere/opa'))).rejects.toThrow(
      'there is no program /nowhere/opa: install OPA (openpolicyagent.org) or name it with --opa',
    );
  });
});
