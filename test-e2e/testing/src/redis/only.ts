/** The result of a call that takes several items, and got one. Throws it if it is an error. */
export async function only<T>(
  answer: Promise<readonly (T | Error)[] | { readonly results: readonly (T | Error)[] }>,
): Promise<T> {
  const answered = await answer;
  const [result] = 'results' in answered ? answered.results : answered;
  if (result instanceof Error) throw result;
  return result!;
}
