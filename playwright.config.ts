import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './testing/chromium.ts'

export default defineConfig({
  testDir: './e2e',
  globalSetup: './e2e/built.ts',
  fullyParallel: false,
  // Each has a server of its own.
  workers: 3,
  // Generous: shared machines stand still at times. No test measures by it.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  outputDir: './test-results',
  use: {
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    launchOptions: chromiumOptions,
  },
})
