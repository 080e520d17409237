import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** The build names these files by a hash of their content. */
const HASHED = 'assets/';
const PAGE = 'index.html';

/** A file of the console, ready to be sent. */
export interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  readonly isHashed: boolean;
  readonly content: Buffer;
  readonly compressed: Buffer;
}

/**
 * The files of the console's build. What is served is listed when the gateway starts: a request can name
 * nothing else, however its path is written. `address`: the path at which browsers find the console, which
 * its page refers to.
 */
export class ConsoleFiles {
  readonly #files = new Map<string, ConsoleFile>();
  readonly #names: ReadonlySet<string>;

  constructor(
    private readonly folder: string,
    private readonly address: string,
  ) {
    this.#names = new Set(listFiles(folder));
  }

  get areBuilt(): boolean {
    return this.#names.has(PAGE);
  }

  /** The file of this name; null: it does not exist. The first request for a file reads and compresses it. */
  find(name: string): ConsoleFile | null {
    if (!this.#names.has(name)) return null;
    let file = this.#files.get(name);
    if (file === undefined) {
      file = readConsoleFile(this.folder, name, this.address);
      this.#files.set(name, file);
    }
    return file;
  }

  /**
   * The page, whose script shows what the path names; null below the folder of hashed files, and if it is not
   * built.
   */
  pageFor(path: string): ConsoleFile | null {
    return path.startsWith(HASHED) ? null : this.find(PAGE);
  }
}

function readConsoleFile(folder: string, name: string, address: string): ConsoleFile {
  const built = readFileSync(join(folder, name));
  const content = name === PAGE ? Buffer.from(completeAddresses(String(built), address)) : built;
  return {
    type: TYPES[extname(name)]!,
    etag: `"${createHash('sha256').update(content).digest('base64url')}"`,
    isHashed: name.startsWith(HASHED),
    content,
    compressed: gzipSync(content, { level: 9 }),
  };
}

/** The build refers to files beside the page, which the gateway serves at paths below it too. */
function completeAddresses(page: string, address: string): string {
  return page.replaceAll(/ (src|href)="\.\//g, ` $1="${address}/`);
}

/** Paths of the files with a known type, relative to the folder; none if there is no folder. */
function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && Object.hasOwn(TYPES, extname(entry.name)))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      );
  } catch {
    return [];
  }
}
