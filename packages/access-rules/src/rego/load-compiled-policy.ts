import { createRequire } from 'node:module';

/** The part of the library that is used; its own types say less. */
interface CompiledPolicy {
  readonly entrypoints: Readonly<Record<string, number>>;
  evaluate(input: unknown, entrypoint: string): { readonly result?: unknown }[];
}
const library = createRequire(import.meta.url)('@open-policy-agent/opa-wasm') as {
  loadPolicySync(wasm: Buffer): CompiledPolicy;
};

const WASM = Buffer.from([0x00, 0x61, 0x73, 0x6d]);
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Loads a policy that OPA has compiled to WebAssembly. Throws `Error` saying what to do about any other. */
export function loadCompiledPolicy(source: Buffer, rulePath: string): (input: unknown) => unknown {
  if (source.subarray(0, 2).equals(GZIP)) {
    throw new Error('this is a bundle; take policy.wasm out of it (tar -xzf … /policy.wasm)');
  }
  if (!source.subarray(0, 4).equals(WASM)) {
    throw new Error(
      `this is no compiled policy. Rego source needs OPA: compile it (opa build -t wasm -e ${rulePath} …) and name policy.wasm, or run an OPA server with it and write location-type: opa-server`,
    );
  }
  const policy = library.loadPolicySync(source);
  if (!Object.hasOwn(policy.entrypoints, rulePath)) {
    const known = Object.keys(policy.entrypoints).join(', ');
    throw new Error(`the policy has no entrypoint ${rulePath}, only ${known}`);
  }
  return (input) => policy.evaluate(input, rulePath)[0]?.result;
}
