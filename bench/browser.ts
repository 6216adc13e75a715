import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'

/** A headless Chromium that does nothing but what it is asked. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = await findChromium()
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
