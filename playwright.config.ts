import { defineConfig } from '@playwright/test'
import { quickChromium } from './testing/chromium.ts'
import { patience } from './testing/patience.ts'

export default defineConfig({
  testDir: '.',
  testMatch: ['e2e/**/*.spec.ts', 'support/e2e/**/*.spec.ts'],
  globalSetup: './e2e/built.ts',
  fullyParallel: false,
  // Each worker starts its own server.
  workers: 4,
  timeout: 90_000 * patience,
  expect: { timeout: 8000 * patience },
  forbidOnly: Boolean(process.env.CI),
  outputDir: './test-results/browser',
  use: {
    browserName: 'chromium',
    // Without a timeout, a click on a button that has disappeared would wait until the whole test times out.
    actionTimeout: 20_000 * patience,
    // Installing one costs a fifth of a page load. Tests of the installed app allow it: `withServiceWorker`.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: quickChromium,
  },
})
