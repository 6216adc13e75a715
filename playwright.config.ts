import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/chromium.mjs'
import { chromiumArgs } from './testing/chromium.ts'

const executablePath = await findChromium()

export default defineConfig({
  testDir: './e2e',
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  outputDir: './test-results',
  use: {
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: chromiumArgs,
    },
  },
})
