import tseslint from 'typescript-eslint';

const ENVIRONMENT = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'The environment is read in a *-config.ts file only.',
};

const NO_OP_SPREADS = [
  {
    selector: 'SpreadElement > ObjectExpression',
    message: 'Write the properties themselves: spreading a literal does nothing.',
  },
  {
    selector: 'SpreadElement > ArrayExpression',
    message: 'Write the elements themselves: spreading a literal does nothing.',
  },
];

const decorator = (names) => `Decorator > CallExpression[callee.name=/^(${names})$/]`;

/** A route without declared access is refused at start and at request; here it is seen before. */
const UNDECLARED_ROUTE = {
  selector: `MethodDefinition:has(> ${decorator('Get|Post|Put|Patch|Delete|All')}):not(:has(> ${decorator('RequireRole|Public')}))`,
  message: 'Declare who may use this route: @RequireRole or @Public.',
};

export default tseslint.config(
  {
    // The generated part of the client of openapi.json exists only while npm run verify:openapi checks it.
    ignores: ['**/dist/', '**/.data/', '**/.turbo/', '**/coverage/', 'test-e2e/openapi-client/'],
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Nest asks for promises where nothing is awaited, and so do interfaces.
      '@typescript-eslint/require-await': 'off',
      // Nest's injected classes and its decorators are used through metadata.
      '@typescript-eslint/no-extraneous-class': 'off',
      'no-restricted-syntax': ['error', ENVIRONMENT, ...NO_OP_SPREADS],
      'max-lines': ['error', 250],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: [
      '**/*-config.ts',
      '**/*.test.ts',
      '**/*.test-support.ts',
      '**/testing/*.ts',
      'test-e2e/**',
    ],
    rules: { 'no-restricted-syntax': ['error', ...NO_OP_SPREADS] },
  },
  {
    files: ['apps/gateway/src/**/*.controller.ts'],
    rules: {
      'no-restricted-syntax': ['error', ENVIRONMENT, ...NO_OP_SPREADS, UNDECLARED_ROUTE],
    },
  },
  {
    // Commands for people: what they print is their result.
    files: ['apps/cli/src/*.ts', 'apps/cli/src/commands/*.ts'],
    rules: { 'no-console': 'off' },
  },
);
