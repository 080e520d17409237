import { readProgramOptions } from '@forecourt/testing/options';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { startTestSystem } from '../../support/start-test-system.js';
import type { TestSystem } from '../../support/test-system.js';
import type { PublishedClient } from '../public-clients/published-clients.js';
import { install, installedFolder, runPublished } from '../public-clients/run-published.js';
import { compareMessages } from './compare-messages.js';
import { OUR_PROTO, publishedProto, readRegistry } from './read-registry.js';

const HELP = `npm run verify -- grpc

Compares the project's descriptions of the messages of IOTA nodes with those in the crate iota-sdk-grpc-types, and runs
programs with the official Rust crates: one reads, executes and follows checkpoints at devnet over gRPC, one has a gas
station sponsor a transaction while the whole system uses gRPC. Ends with 1 for a difference or a program that fails.
Needs cargo; building the programs takes about five minutes the first time.`;

/** The account of the program that pays its own gas; the programs have fixed keys. */
const PAYER = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(7)).toIotaAddress();

const programs: PublishedClient = {
  name: 'the official Rust crates',
  folder: 'rust-grpc',
  install: [['cargo', 'build', '--quiet', '--jobs', '1', '--manifest-path', 'grpc/Cargo.toml']],
  run: ['grpc/target/debug/node-client'],
  worksWith: [],
};

const say = (text: string) => process.stdout.write(`${text}\n`);

async function verify(): Promise<number> {
  say(`building programs with ${programs.name}`);
  const missing = await install(programs);
  if (missing !== null) {
    say(`cannot build them: ${missing}`);
    return 1;
  }
  const published = readRegistry(publishedProto(`${installedFolder(programs)}/grpc`));
  const differences = compareMessages(readRegistry(OUR_PROTO), published);
  for (const difference of differences) say(difference);
  if (differences.length === 0) say('the messages agree with those of iota-sdk-grpc-types');
  const failures = await runPrograms();
  return differences.length + failures === 0 ? 0 : 1;
}

/** Runs both programs at a system that uses gRPC; the number of those that fail. */
async function runPrograms(): Promise<number> {
  const env = { MAX_GAS_BUDGET: '5000000000' };
  const system = await startTestSystem({ dialect: 'grpc', env });
  try {
    // The published client simulates with the largest budget of a transaction, 50 IOTA.
    await system.control.mint(PAYER, 60_000_000_000);
    await system.control.untilShown();
    const works = [
      await runProgram(system, 'node-client'),
      await runProgram(system, 'sponsored-client'),
    ];
    return works.filter((one) => !one).length;
  } finally {
    await system.stop();
  }
}

/** Whether the program ends well, and its transaction is on the ledger. */
async function runProgram(system: TestSystem, name: string): Promise<boolean> {
  const { token } = system.application;
  const { GATEWAY_COMPATIBILITY_PORT } = system.services('gateway')[0]!.options.env;
  const { DEVNET_GRPC_PORT } = system.services('devnet')[0]!.options.env;
  const env = {
    NODE_URL: `http://127.0.0.1:${DEVNET_GRPC_PORT}`,
    GAS_STATION: `http://127.0.0.1:${GATEWAY_COMPATIBILITY_PORT}`,
    TOKEN: token,
  };
  try {
    const digest = await runPublished({ ...programs, run: [`grpc/target/debug/${name}`] }, env);
    const options = { showEffects: true };
    const { effects } = await system.ledger.waitForTransaction({ digest, options });
    const { status } = effects!.status;
    say(`${name}: transaction ${digest}: ${status}`);
    return status === 'success';
  } catch (error) {
    say(`${name} fails: ${(error as Error).message}`);
    return false;
  }
}

readProgramOptions(HELP, {});
process.exitCode = await verify();
