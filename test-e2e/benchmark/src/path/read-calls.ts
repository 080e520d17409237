import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Source file, from the root of the repository → its functions. */
export type Modules = ReadonlyMap<string, ReadonlySet<string>>;
