import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './testing/chromium.ts'

export default defineConfig({
  testDir: './e2e',
  globalSetup: './e2e/built.ts',
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  outputDir: './test-results',
  use: {
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    launchOptions: chromiumOptions,
  },
})
