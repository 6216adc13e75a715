import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['*.test.ts', '{contract,server,web,testing,sim,bench,scripts}/**/*.test.{ts,tsx}'],
    pool: 'forks',
    // Files share their process: loading the server's libraries and a database anew for each file would
    // take longer than the tests.
    isolate: false,
    maxWorkers: 2,
    // Generous: shared machines stand still at times. No test measures by it.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
