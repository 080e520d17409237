import { LineFile, type LineFileEvents, type Logger } from '@forecourt/runtime/service';

/** It is opened again on SIGHUP, so that it can be rotated. Throws `Error` where it cannot be opened. */
export function openAuditFile(path: string, logger: Logger): LineFile {
  const failed = (error: unknown) => logger.error({ path, error: String(error) }, UNWRITTEN);
  const file = openOrExplain(path, {
    onFailure: failed,
    onRecovery: (lost) => logger.info({ path, lost }, 'The access audit is written again'),
  });
  process.on('SIGHUP', () => {
    try {
      file.reopen(path);
    } catch (error) {
      failed(error);
    }
  });
  return file;
}

function openOrExplain(path: string, events: LineFileEvents): LineFile {
  try {
    return LineFile.open(path, events);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new Error(`ACCESS_AUDIT_FILE cannot be opened: ${reason}`, { cause });
  }
}

const UNWRITTEN = 'The access audit cannot be written';
