import { canInstallPackages, findProgram, installPackage } from './debian-packages.mjs';
import { Failure, say } from './progress.mjs';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const MISSING = `Chromium is not installed:

  sudo apt-get install chromium     Debian
  brew install --cask chromium      macOS

Or name a Chromium or Chrome: CHROMIUM=/path/to/chrome npm run verify:example`;

/** The path of a Chromium: `CHROMIUM`, one of PATH or, on Debian as root, one that is installed now. Throws `Failure`. */
export async function ensureChromium() {
  const present = process.env.CHROMIUM || findProgram(PROGRAMS);
  if (present) return present;
  if (!canInstallPackages()) throw new Failure(MISSING);
  say('installing Chromium (apt-get install chromium) …');
  await installPackage('chromium');
  const installed = findProgram(PROGRAMS);
  if (!installed) throw new Failure(MISSING);
  return installed;
}
