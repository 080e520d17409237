/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Files that import each other in a circle cannot be understood, or loaded, one by one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-app-imports-another-app',
      comment:
        'Apps meet on wires, whose shapes are in packages/contracts. Only the station, which runs several in one process, composes them; the build of the console asks the gateway for its API.',
      severity: 'error',
      from: {
        path: '^apps/([^/]+)/',
        pathNot: '^apps/(station/|console/write-gateway-types\\.mjs$)',
      },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'station-only-composes',
      comment: 'It knows how a service is defined, and nothing inside.',
      severity: 'error',
      from: { path: '^apps/station/' },
      to: { path: '^apps/([^/]+)/', pathNot: '^apps/(station/|([^/]+)/src/\\2-service\\.ts$)' },
    },
    {
      name: 'no-package-imports-an-app',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(apps|test-e2e)/', pathNot: '^test-e2e/testing/' },
    },
    {
      name: 'commands-of-a-clone-use-no-other-package',
      comment: 'They build the packages. What is in the bundle, and src/checks, may import them.',
      severity: 'error',
      from: { path: '^apps/cli/src/(clone|workspace)/' },
      to: { path: '^(apps|packages)/', pathNot: '^apps/cli/' },
    },
    {
      name: 'nobody-imports-tests',
      severity: 'error',
      comment: 'npm start runs the private Redis of the tests.',
      from: { pathNot: '\\.(test|test-support)\\.ts$|^test-e2e/' },
      to: { path: '\\.(test|test-support)\\.ts$|^test-e2e/', pathNot: '^test-e2e/testing/' },
    },
    {
      name: 'domain-knows-neither-nest-nor-http',
      comment: 'What a coin, a claim or a ledger is does not depend on how it is served.',
      severity: 'error',
      from: {
        path: '^(packages/(coin-store|ledger|policy|sponsorship|runtime/src/(async|config|failpoints|metrics|tracing))|apps/events/src/event-matching)/',
        pathNot: '\\.(test|test-support)\\.ts$',
      },
      to: { path: 'node_modules/@?(nestjs|fastify)' },
    },
    {
      name: 'domain-knows-neither-runtime-nor-server',
      comment: 'Most of packages/runtime is built on Nest.',
      severity: 'error',
      from: {
        path: '^(packages/(coin-store|ledger|policy|sponsorship)|apps/events/src/event-matching)/',
        pathNot: '\\.(test|test-support)\\.ts$',
      },
      to: { path: '^packages/runtime/|^(node:)?https?$' },
    },
    {
      name: 'foundations-stand-alone',
      comment: 'Every process loads them, with all that they import.',
      severity: 'error',
      from: { path: '^packages/(contracts|resilience)/' },
      to: { path: '^packages/', pathNot: '^packages/$1/' },
    },
    {
      name: 'admission-belongs-to-listeners',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/(admission|json-rpc|runtime)/' },
      to: { path: '^packages/(admission|json-rpc)/' },
    },
    {
      name: 'client-stands-alone',
      comment: 'It is published without the other packages and without dependencies.',
      severity: 'error',
      from: {
        path: '^packages/client/',
        pathNot: '\\.(test|test-support)\\.ts$',
      },
      to: {
        pathNot: '^packages/client/',
        dependencyTypesNot: ['core', 'type-only'],
      },
    },
    {
      name: 'packages-through-their-index',
      comment: 'A package is used through its index.',
      severity: 'error',
      from: { path: '^(apps|packages)/([^/]+)/' },
      to: {
        path: '^packages/([^/]+)/src/',
        pathNot: [
          '^packages/[^/]+/src/index\\.ts$',
          '^packages/(client|contracts|ledger|policy|postgres|runtime)/src/[^/]+/index\\.ts$',
          // Subpaths that one file serves.
          '^packages/(contracts/src/errors|runtime/src/[^/]+)\\.ts$',
          '^packages/resilience/src/files/index\\.ts$',
          '^$1/$2/',
        ],
      },
    },
    {
      name: 'what-is-imported-is-declared',
      severity: 'error',
      comment: 'Commands of a clone use the tools that the root declares.',
      from: {
        path: '^(apps|packages|test-e2e/(benchmark|testing))/',
        pathNot: '\\.(test|test-support)\\.ts$|^apps/cli/src/(checks|clone)/',
      },
      to: { path: 'node_modules', dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'mdast consists of types only.',
      from: {},
      to: { couldNotResolve: true, pathNot: '^mdast$' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: {
      path: ['/dist/', '/node_modules/\\.', '^test-e2e/openapi-client/'],
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@forecourt/source', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css'],
    },
  },
};
