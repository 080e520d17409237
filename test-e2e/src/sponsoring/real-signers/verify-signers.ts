import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { readProgramOptions } from '@forecourt/testing/options';
import { buildVault } from './build-vault.js';
import { signsOnMoto } from './signs-on-moto.js';
import { signsOnVault } from './signs-on-vault.js';

const HELP = `npm run verify -- signers [--build-vault <folder>]

Has real key services sign, with the code that coin-pools and executors use, and verifies the signatures with the public SDK:
  AWS KMS of moto, secp256k1      needs moto_server (pip install 'moto[kms,server]')
  the transit engine of Vault     needs vault (or OpenBao's bao), whose development server is started; a token, AppRole, a
                                  restrictive policy, a rotated key, batches
VAULT and MOTO_SERVER name programs that are not on the PATH. A service whose program is missing is skipped, and named.

Packages of Vault and OpenBao come from their makers. Where only the proxy of Go modules is there, --build-vault builds Vault
in a folder, with Go ≥ 1.25.3: it downloads and compiles some gigabytes, in a quarter of an hour or more on two cores. The
program stays in the folder; name it as VAULT the next time.

Ends with 1 when a check fails, or when no service was there.`;

const say = (line: string) => process.stdout.write(`${line}\n`);

const { buildVault: folder } = readProgramOptions(HELP, { buildVault: { type: 'string' } });
const vault = folder === undefined ? process.env['VAULT'] : buildVault(resolve(folder), say);
const checks = [
  { name: 'moto', program: process.env['MOTO_SERVER'] ?? 'moto_server', run: signsOnMoto },
  { name: 'Vault', program: vault ?? 'vault', run: signsOnVault },
];
let done = 0;
for (const { name, program, run } of checks) {
  if (spawnSync(program, ['--help']).error) {
    say(`${name}: skipped, ${program} is not installed`);
    continue;
  }
  for (const line of await run(program)) say(`${name}: ${line}`);
  done += 1;
}
if (done === 0) process.exitCode = 1;
