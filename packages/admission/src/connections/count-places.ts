import { getHeapStatistics } from 'node:v8';

/** Files and connections that the process opens for itself. */
const OWN_FILES = 100;
/** A connection that a service forwards needs a second one. */
const FILES_PER_PLACE = 2;
/** A connection of HTTP takes about half of this in the heap. */
const HEAP_PER_PLACE = 16 * 1024;
const FEWEST = 16;

/** How many connections of clients this process can hold, by its heap limit and the files that it may open. */
export function countPlaces(openFiles = openFilesLimit()): number {
  const byFiles = Math.floor((openFiles - OWN_FILES) / FILES_PER_PLACE);
  const byHeap = Math.floor(getHeapStatistics().heap_size_limit / HEAP_PER_PLACE);
  return Math.max(FEWEST, Math.min(byFiles, byHeap));
}

interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
}

function openFilesLimit(): number {
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
  // Otherwise it asks for the name of every peer.
  report.excludeNetwork = true;
  const limit = Number((report.getReport() as Report).userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : Infinity;
}
