import { defineConfig } from 'vitest/config'
import { patience } from './testing/patience.ts'

/** Tests that start whole processes or take many seconds. */
const systemTests = '**/*.system.test.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    // Files share a process: loading the server's libraries and a database for each file would take longer
    // than the tests.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 20_000 * patience,
    hookTimeout: 40_000 * patience,
    expect: { poll: { timeout: 8000 * patience } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '*.test.ts',
            '{contract,client,server,support,web,testing,sim,bench,scripts}/**/*.test.{ts,tsx}',
          ],
          exclude: [systemTests, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: { name: 'system', include: [systemTests], testTimeout: 120_000 * patience },
      },
    ],
  },
})
