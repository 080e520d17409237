import { ForecourtError } from '@forecourt/contracts';

const MAX_SHOWN = 100;

/** INVALID_REQUEST that names the content type; undefined: there was none. */
export function wrongContentType(contentType: string | undefined): ForecourtError {
  const arrived =
    contentType === undefined ? 'none' : JSON.stringify(contentType.slice(0, MAX_SHOWN));
  return new ForecourtError(
    'INVALID_REQUEST',
    `Content-Type must be application/json; got ${arrived}`,
  );
}
