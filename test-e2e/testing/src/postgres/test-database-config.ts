/** The PostgreSQL in which tests create and drop their databases; undefined: a private one. */
export function givenTestServer(): string | undefined {
  return process.env['TEST_DATABASE_URL'] || undefined;
}
