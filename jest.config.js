import { bundleNest } from './test-e2e/jest/bundle-nest.mjs';

/** TypeScript as it stands in `src`, compiled by swc; no package needs to be built for its unit tests. */
const project = {
  // By default it is in the system's temporary folder, where other users could put code.
  cacheDirectory: '<rootDir>/.data/jest',
  restoreMocks: true,
  // Nest's bundled modules need it before the first of them, whichever file of a group comes first.
  setupFiles: ['reflect-metadata'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironmentOptions: {
    customExportConditions: ['@forecourt/source', 'node', 'import', 'default'],
  },
  // Sources import `./x.js` and mean x.ts. Dependencies have modules named `x.json.js`, which are not x.json.
  // Packages of pg have modules for `import` and others for `require`; under the conditions above, `require` gets the wrong ones.
  moduleNameMapper: {
    '^@nestjs/(.+?)(?:\\.js)?$': `${await bundleNest()}/$1.js`,
    '^(\\.{1,2}/.*)(?<!\\.json)\\.js$': '$1',
    '^pg-(pool|connection-string)$': '<rootDir>/node_modules/pg-$1/index.js',
    '^pg-protocol$': '<rootDir>/node_modules/pg-protocol/dist/index.js',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          experimental: { keepImportAttributes: true },
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.data/(?!nest/)'],
};

export default {
  // The heap of many files takes longer than the usual half second to be freed; a process with open handles takes longer still.
  workerGracefulExitTimeout: 5_000,
  projects: [
    {
      ...project,
      displayName: 'unit',
      runner: '<rootDir>/test-e2e/jest/group-runner.mjs',
      testEnvironment: '<rootDir>/test-e2e/jest/group-environment.mjs',
      testMatch: [
        '<rootDir>/packages/*/src/**/*.test.ts',
        '<rootDir>/apps/*/src/**/*.test.ts',
        '<rootDir>/docs/examples/src/**/*.test.ts',
        '<rootDir>/test-e2e/testing/src/**/*.test.ts',
      ],
    },
    {
      ...project,
      displayName: 'e2e',
      runner: '<rootDir>/test-e2e/jest/system-runner.mjs',
      testEnvironment: '<rootDir>/test-e2e/jest/system-environment.mjs',
      testMatch: ['<rootDir>/test-e2e/src/**/*.test.ts'],
    },
  ],
};
