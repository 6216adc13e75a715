import type { LaunchOptions } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'

const executablePath = await findChromium()

/**
 * Two web pages that a Chromium with an address bar keeps ready for it, for each window anew: half of the
 * time that opening a page takes here.
 */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** What Playwright turns off itself: only the last list counts. */
const offAnyway = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
]

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
    `--disable-features=${[...offAnyway, ...addressBar].join(',')}`,
  ],
}
