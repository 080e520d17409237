import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import tseslint from 'typescript-eslint';

const ENVIRONMENT = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'The environment is read in a *-config.ts file only.',
};

/** Files that may read the environment: those that are there for it, and tests. */
const READS_ENVIRONMENT = [
  '**/*-config.ts',
  '**/*.test.ts',
  '**/*.test-support.ts',
  'test-e2e/src/**',
];

const LITERAL = ':matches(ObjectExpression, ArrayExpression)';
const TYPED = ':matches(TSAsExpression, TSSatisfiesExpression)';

const NO_OP_SPREAD = {
  selector: `SpreadElement > ${LITERAL}, SpreadElement > ${TYPED} > ${LITERAL}`,
  message: 'Write what the literal holds: spreading a literal does nothing.',
};

const CAST_TO_NEVER = {
  selector: 'TSAsExpression > TSNeverKeyword',
  message: 'Give the value its type: a cast to never fits everywhere.',
};

/** `_` is how Node and many packages name what may change without notice; our own private members begin with `#`. */
const PRIVATE_MEMBER = {
  selector:
    ':matches(MemberExpression[object.type!=/^(ThisExpression|Super)$/], ObjectPattern > Property):matches([property.name=/^_./], [property.value=/^_./], [key.name=/^_./], [key.value=/^_./])',
  message: 'Use what the documentation names: this is private to the object of another.',
};

/** Members of Node's sockets, servers, streams and messages that reach into its listeners, or that it does not document. */
const UNDOCUMENTED_MEMBERS = [
  ...['listeners', 'rawListeners', 'removeAllListeners'].map((property) => ({
    property,
    message: "Add and remove listeners of your own only: the others are Node's.",
  })),
  ...['parser', 'shouldKeepAlive', 'assignSocket', 'detachSocket'].map((property) => ({
    property,
    message: 'Node does not document it, and may change it without notice.',
  })),
];

/** One style: what a class makes for itself is #private; what it is given, and its methods, are `private`, as Nest engineers write. */
const OWN_FIELD = {
  selector: "PropertyDefinition[accessibility='private']",
  message: 'Write #name: a field that is not a parameter of the constructor.',
};
const OWN_METHOD = {
  selector: 'MethodDefinition[key.type="PrivateIdentifier"]',
  message: 'Write private: a method.',
};

const PICKED_PARAMETER = {
  selector:
    "MethodDefinition[kind='constructor'] TSTypeReference[typeName.name='Pick']:not(:has(TSTypeReference[typeName.name=/Options$/]))",
  message: 'Name the whole type; a test passes `partial` of it.',
};

const EVERYWHERE = [
  NO_OP_SPREAD,
  CAST_TO_NEVER,
  PRIVATE_MEMBER,
  OWN_FIELD,
  OWN_METHOD,
  PICKED_PARAMETER,
];

const decorator = (names) => `Decorator[expression.callee.name=/^(${names})$/]`;

/** The gateway does not start with a route without declared access; lint finds it earlier. */
const UNDECLARED_ROUTE = {
  selector: `MethodDefinition:has(> ${decorator('Get|Post|Put|Patch|Delete|Head|Options|All')}):not(:has(> ${decorator('RequireRole|Public')}))`,
  message: 'Declare who may use this route: @RequireRole or @Public.',
};

/** The unit tests of a group share modules: a hook that a module registers holds for the first file that imports it. */
const SHARED_HOOK = {
  selector:
    'Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)(Each|All)$/]',
  message: 'Export a function that registers the hook, and call it in each test file.',
};

const TEST = /\.(test|test-support)\.tsx?$/;
const flat = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('.', '-')
    .toLowerCase();

/** A file exports at most one class, and has its name: `ClaimsService` is in claims.service.ts. */
const CLASS_FILE = {
  create(context) {
    const name = flat(basename(context.filename).replace(/(\.test-support)?\.\w+$/, ''));
    return {
      'ExportNamedDeclaration > ClassDeclaration'(node) {
        if (flat(node.id.name) === name) return;
        context.report({ node: node.id, message: 'Give the class a file of its name.' });
      },
    };
  },
};

/** A unit test has the name of its source, a file or a folder beside it, and may add an aspect. */
const TEST_NAME = {
  create(context) {
    const test = `${basename(context.filename).replace(/(\.long)?\.test\.tsx?$/, '')}.`;
    const others = readdirSync(dirname(context.filename)).filter((name) => !TEST.test(name));
    const sources = others.map((name) => `${name.replace(/\.(tsx?|mts)$/, '')}.`);
    if (sources.some((source) => test.startsWith(source) || source.startsWith(test))) return {};
    const message =
      'Name the test after its source beside it: <source>.test.ts, <source>.<aspect>.test.ts.';
    return { Program: (node) => context.report({ node, message }) };
  },
};

const forecourt = { rules: { 'class-file': CLASS_FILE, 'test-name': TEST_NAME } };

export default tseslint.config(
  {
    // The generated part of the client of openapi.json exists only while npm run verify -- openapi checks it.
    ignores: [
      '**/src/generated/',
      '**/dist/',
      '**/.data/',
      '**/.turbo/',
      '**/coverage/',
      'test-e2e/openapi-client/',
    ],
  },
  {
    files: ['**/*.{ts,tsx}'],
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
      'no-restricted-syntax': ['error', ENVIRONMENT, ...EVERYWHERE],
      'no-console': 'error',
    },
  },
  {
    // Scripts without types: the command of a clone and the configuration of tools.
    files: ['**/*.{js,mjs,cjs}'],
    rules: {
      'no-restricted-syntax': ['error', NO_OP_SPREAD],
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.{ts,tsx,js,mjs,cjs}'],
    rules: {
      'max-lines': ['error', 400],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: READS_ENVIRONMENT,
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE] },
  },
  {
    files: ['**/*.test-support.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, SHARED_HOOK] },
  },
  {
    files: ['apps/gateway/src/**/*.ts'],
    ignores: READS_ENVIRONMENT,
    rules: {
      'no-restricted-syntax': ['error', ENVIRONMENT, ...EVERYWHERE, UNDECLARED_ROUTE],
    },
  },
  {
    files: ['apps/**/*.ts', 'packages/**/*.ts'],
    ignores: ['**/*.test.ts', '**/*.test-support.ts'],
    rules: { 'no-restricted-properties': ['error', ...UNDOCUMENTED_MEMBERS] },
  },
  {
    files: ['{apps,packages,test-e2e}/**/*.{ts,tsx}'],
    // The classes of one message are together.
    ignores: ['packages/contracts/src/**'],
    plugins: { forecourt },
    rules: { 'forecourt/class-file': 'error' },
  },
  {
    files: ['{apps,packages}/*/src/**/*.test.ts'],
    plugins: { forecourt },
    rules: { 'forecourt/test-name': 'error' },
  },
  {
    // Commands for people: what they print is their result.
    files: ['apps/cli/src/*.ts', 'apps/cli/src/commands/*.ts'],
    rules: { 'no-console': 'off' },
  },
);
