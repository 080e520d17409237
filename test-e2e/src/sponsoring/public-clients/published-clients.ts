/** How a version of `gas_coins` may be written: the values of GATEWAY_COMPATIBILITY_COIN_VERSIONS. */
export const coinVersions = ['integer', 'string'] as const;
export type CoinVersions = (typeof coinVersions)[number];

/** A command: a program and its arguments. */
export type Command = readonly [program: string, ...args: string[]];

/**
 * A published client that sponsors a transaction by its own code, in a folder that has the files of
 * `public-clients`.
 */
export interface PublishedClient {
  readonly name: string;
  /** The name of its folder. */
  readonly folder: string;
  /** The commands that install or build it. */
  readonly install: readonly Command[];
  /** The command that runs it, and writes the transaction's digest. */
  readonly run: Command;
  /** The forms of coins' versions with which it works at the compatibility port. */
  readonly worksWith: readonly CoinVersions[];
}

/** A library of the IOTA Trust Framework, which is WebAssembly of its Rust code. */
function fromNpm(
  name: string,
  version: string,
  worksWith: readonly CoinVersions[],
): PublishedClient {
  const minimal = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--no-save'];
  return {
    name: `${name} ${version}`,
    folder: `${name.split('/')[1]}-${version}`,
    install: [['npm', 'install', '--prefix', '.', ...minimal, `${name}@${version}`]],
    run: [process.execPath, 'wasm-client.cjs', `${name}/node`],
    worksWith,
  };
}

const IDENTITY = '@iota/identity-wasm';

export const publishedClients: readonly PublishedClient[] = [
  fromNpm(IDENTITY, '1.6.0-beta.10', ['integer']),
  fromNpm(IDENTITY, '1.8.0-beta.3', ['integer']),
  fromNpm(IDENTITY, '1.9.7-beta.1', ['string']),
  fromNpm('@iota/notarization', '0.1.15', ['string']),
  {
    name: 'iota-sdk 3.0.0b1 (PyPI)',
    folder: 'python',
    install: [
      ['python3', '-m', 'venv', 'environment'],
      ['environment/bin/pip', 'install', '--quiet', 'iota-sdk==3.0.0b1'],
    ],
    run: ['environment/bin/python', 'python-client.py'],
    worksWith: coinVersions,
  },
  {
    name: 'iota-sdk-transaction-builder 1.0.0-rc.2 (crates)',
    folder: 'rust',
    install: [['cargo', 'build', '--quiet', '--jobs', '1']],
    run: ['target/debug/rust-client'],
    worksWith: coinVersions,
  },
];
