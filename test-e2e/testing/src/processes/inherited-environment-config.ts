/**
 * The variables of this process that services inherit: those that programs need, and none of the
 * test runner.
 */
export function inheritedEnvironment(
  environment: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, TZ, LANG, NODE_COMPILE_CACHE } = environment;
  return Object.fromEntries(
    Object.entries({ PATH, HOME, TMPDIR, TZ, LANG, NODE_COMPILE_CACHE }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}
