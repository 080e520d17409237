/** Text the way prettier would write it to the file. Throws when it cannot be parsed. */
export async function format(file, text) {
  const prettier = await import('prettier');
  return prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file });
}
