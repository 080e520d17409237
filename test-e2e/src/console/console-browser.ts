import { type Browser, chromium } from 'playwright-core';

export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly theme?: 'light' | 'dark';
  readonly hasTouch?: boolean;
}

export const WIDE: Screen = { width: 1440, height: 900 };
export const PHONE: Screen = { width: 390, height: 844, hasTouch: true };

export function launch(executablePath: string): Promise<Browser> {
  // Chromium has no sandbox as root, and the pages are our own.
  return chromium.launch({ executablePath, chromiumSandbox: false });
}
