import { defineConfig } from '@playwright/test'
import { chromiumArgs } from './testing/chromium.ts'

export default defineConfig({
  testDir: './e2e',
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // A shared machine may stop for seconds: what fails once and then passes is listed as flaky.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  outputDir: './test-results',
  use: {
    browserName: 'chromium',
    trace: 'on-first-retry',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      args: chromiumArgs,
    },
  },
})
