import type { LaunchOptions } from '@playwright/test'
import { findChromium } from '../scripts/environment/chromium.mjs'

const executablePath = await findChromium()

/**
 * Two pages that Chromium preloads for the address bar of each window. They take half of the time that opening
 * a page needs.
 */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Features that Playwright disables: repeated here because only the last `--disable-features` counts. */
const offInPlaywright = [
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

/** Launches the installed Chromium headless, without background traffic. */
export const chromiumOptions: LaunchOptions = {
  ...(executablePath && { executablePath }),
  args: [
    // Chromium's sandbox does not run as root, such as in a container.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${[...offInPlaywright, ...addressBar].join(',')}`,
  ],
}

/**
 * The options of `chromiumOptions` for browser tests, without V8's optimising compilers: pages of tests close before
 * the compilers' work pays off. Benchmarks need them.
 */
export const quickChromium: LaunchOptions = {
  ...chromiumOptions,
  args: [...(chromiumOptions.args ?? []), '--js-flags=--no-opt,--no-maglev'],
}
