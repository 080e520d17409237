import { Inject, Injectable } from '@nestjs/common';
import type { Viewer } from '@forecourt/contracts';
import type { FleetFigures, StreamFigures } from '@forecourt/contracts/http';
import { maySee } from '@forecourt/sponsorship';
import { FleetService } from '../operations/fleet.service.js';
import { ChangeFeed, type FeedListener } from './change-feed.js';
import { FigureWindow } from './figure-window.js';
import type { StreamEvent } from './stream-event.js';

interface ViewerWindow {
  readonly viewer: Viewer;
  readonly window: FigureWindow;
  clients: number;
}

/**
 * The figures of each viewer, computed once for all clients of it. Those of the fleet are read for viewers of everything only, and no
 * event waits for them: what cannot be read keeps its last values, with their age.
 */
@Injectable()
export class FiguresBoard implements FeedListener {
  readonly #windows = new Map<string, ViewerWindow>();
  #fleet: FleetFigures | null = null;
  #isReading = false;

  constructor(
    @Inject(FleetService) private readonly fleet: Pick<FleetService, 'summarize'>,
    @Inject(ChangeFeed) private readonly feed: Pick<ChangeFeed, 'readAt'>,
  ) {}

  open(viewer: Viewer): void {
    const key = keyOf(viewer);
    const known = this.#windows.get(key);
    if (known) known.clients += 1;
    else this.#windows.set(key, { viewer, window: new FigureWindow(Date.now()), clients: 1 });
  }

  close(viewer: Viewer): void {
    const known = this.#windows.get(keyOf(viewer))!;
    known.clients -= 1;
    if (known.clients === 0) this.#windows.delete(keyOf(viewer));
    if (this.#windows.size === 0) this.#fleet = null;
  }

  receive({ record }: StreamEvent): void {
    if (record === null) return;
    for (const { viewer, window } of this.#windows.values()) {
      if (maySee(viewer, record.data)) window.add(record, Date.now());
    }
  }

  read(viewer: Viewer): StreamFigures {
    const now = Date.now();
    return {
      at: now,
      changes_read_at: this.feed.readAt,
      recent: this.#windows.get(keyOf(viewer))!.window.read(now),
      fleet: viewer.token === null ? this.#fleet : null,
    };
  }

  /** Reads the figures of the fleet, if somebody sees them and no other read is in progress. */
  async refresh(): Promise<void> {
    const isSeen = this.#windows.has(keyOf({ token: null, user: null }));
    if (!isSeen || this.#isReading) return;
    this.#isReading = true;
    try {
      const { sponsors, ...rest } = await this.fleet.summarize();
      const before = this.#fleet;
      this.#fleet = {
        ...rest,
        sponsors: sponsors ?? before?.sponsors ?? null,
        sponsors_read_at: sponsors === null ? (before?.sponsors_read_at ?? null) : Date.now(),
      };
    } finally {
      this.#isReading = false;
    }
  }
}

function keyOf({ token, user }: Viewer): string {
  return JSON.stringify([token, user ?? null]);
}
