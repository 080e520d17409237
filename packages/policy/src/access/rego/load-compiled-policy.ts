import { loadPolicy } from '@open-policy-agent/opa-wasm';

const WASM = Buffer.from([0x00, 0x61, 0x73, 0x6d]);
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Loads a policy that OPA has compiled to WebAssembly. Throws `Error` with the problem and the remedy. */
export async function loadCompiledPolicy(
  source: Buffer,
  rulePath: string,
): Promise<(input: unknown) => unknown> {
  if (source.subarray(0, 2).equals(GZIP)) {
    throw new Error('it is a bundle; extract policy.wasm from it (tar -xzf … /policy.wasm)');
  }
  if (!source.subarray(0, 4).equals(WASM)) {
    throw new Error(
      `it is not a compiled policy. Compile Rego source with OPA (opa build -t wasm -e ${rulePath} …) and name policy.wasm, or serve it with an OPA server and write location-type: opa-server`,
    );
  }
  const policy = await loadPolicy(source);
  const entrypoints = policy.entrypoints as Readonly<Record<string, number>>;
  if (!Object.hasOwn(entrypoints, rulePath)) {
    const known = Object.keys(entrypoints).join(', ');
    throw new Error(`the policy has no entrypoint ${rulePath}, only ${known}`);
  }
  return (input) => {
    const results = policy.evaluate(input, rulePath) as { readonly result?: unknown }[];
    return results[0]?.result;
  };
}
