/** What a service inherits of this process's environment: what programs need, and nothing of the test runner. */
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
