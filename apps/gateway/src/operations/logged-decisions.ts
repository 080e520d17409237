import { open } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

/** The part of the file's end that is searched. */
const SEARCHED_BYTES = 8 * 1024 * 1024;
const MAX_FOUND = 20;

/** One line of the access audit; the fields are those that `AccessAudit` writes. */
export interface LoggedDecision {
  readonly time?: string;
  readonly stage?: string;
  readonly outcome?: string;
  readonly rule?: string | null;
  readonly caller?: string;
  readonly digest?: string;
  readonly reservationId?: number;
}

/** Decisions about either of them match. */
export interface DecisionSubject {
  readonly digest: string | null;
  readonly reservationId: number | null;
}

/** Finds access decisions about a transaction in this gateway's audit file. */
@Injectable()
export class LoggedDecisions {
  constructor(@Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig) {}

  /** The latest decisions, oldest first; null if no file is kept, or it cannot be read. */
  async find(subject: DecisionSubject): Promise<readonly LoggedDecision[] | null> {
    const { accessAuditFile } = this.config;
    if (accessAuditFile === null) return null;
    const text = await readEnd(accessAuditFile).catch(() => null);
    if (text === null) return null;
    const found = text.split('\n').filter((line) => mayBeAbout(line, subject));
    return found
      .map(readLine)
      .filter((decision) => decision !== null && isAbout(decision, subject))
      .slice(-MAX_FOUND) as LoggedDecision[];
  }
}

async function readEnd(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const length = Math.min(size, SEARCHED_BYTES);
    if (length === 0) return '';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function mayBeAbout(line: string, { digest, reservationId }: DecisionSubject): boolean {
  if (digest !== null && line.includes(digest)) return true;
  return reservationId !== null && line.includes(String(reservationId));
}

function isAbout(decision: LoggedDecision, { digest, reservationId }: DecisionSubject): boolean {
  if (digest !== null && decision.digest === digest) return true;
  return reservationId !== null && decision.reservationId === reservationId;
}

/** Null: the line is cut off, or not one of the audit. */
function readLine(line: string): LoggedDecision | null {
  try {
    return JSON.parse(line) as LoggedDecision | null;
  } catch {
    return null;
  }
}
