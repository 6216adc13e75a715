import type { LaunchOptions } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'

const executablePath = await findChromium()

/** A headless Chromium of this machine that does nothing but what it is asked. */
export const chromiumOptions: LaunchOptions = {
  ...(executablePath && { executablePath }),
  args: [
    // As root, such as in a container, Chromium has no sandbox to offer.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
