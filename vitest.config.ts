import { defineConfig } from 'vitest/config'
import { databaseTests } from './scripts/imports/graph.mjs'
import { patience } from './testing/patience.ts'
import { quickStart } from './testing/quickStart.ts'

/** Tests that start whole processes or take many seconds. */
const systemTests = '**/*.system.test.ts'

/**
 * Server tests that always use the embedded database: a run on PostgreSQL would repeat them. `access.test.ts` and the
 * entries after it do not depend on concurrent queries: most of their requests are refused, or wait for a file or a
 * process, and `import.test.ts` stores recordings in both databases. The embedded database is the stricter one for them:
 * a query beside an open transaction would wait for its only connection forever.
 */
const embeddedOnly = [
  'server/tests/main.system.test.ts',
  'server/tests/uncaughtErrors.system.test.ts',
  'server/db/backup/**',
  'server/db/engines/{embedded,fullDisk,restore}.system.test.ts',
  'server/db/engines/{slowStatements,threadEngine}.test.ts',
  'server/tests/access.test.ts',
  'server/tests/badInput.test.ts',
  'server/http/callLimits.test.ts',
  'server/storage/refusedUploads.test.ts',
  'server/tests/deviceAccess.test.ts',
  'server/recordings/{importQueue,refusedImports,reimport,sameLaps,slowUpload}.test.ts',
  // The desk keeps visits in memory. `desk.test.ts` and `recheck.test.ts` test its queries, of logins and the audit log.
  'support/server/desk/{assistLimits,hostileFrames,peerSignals,relay}.test.ts',
]

/** Tests that open a database, as a rule by starting the server: they take nine tenths of the time. */
const serverTests = databaseTests()

const elsewhere = ['**/node_modules/**', ...(process.env.TEST_DATABASE_URL ? embeddedOnly : [])]

export default defineConfig({
  test: {
    pool: 'forks',
    // Files share a process: loading the server's libraries and a database for each file would take longer
    // than the tests.
    isolate: false,
    maxWorkers: 2,
    globalSetup: ['./testing/bundleThreads.ts', './testing/database/testRun.ts'],
    // Servers that tests start also use `quickStart`. With more room for new objects, V8 collects garbage less often.
    execArgv: [...quickStart, '--min-semi-space-size=16', '--max-semi-space-size=32'],
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
            '{contract,client,racing,server,support,web,testing,sim,bench,scripts}/**/*.test.{ts,tsx}',
          ],
          exclude: [systemTests, ...serverTests, ...elsewhere],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          setupFiles: './testing/database/firstDatabase.ts',
          include: serverTests,
          exclude: [systemTests, ...elsewhere],
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: [systemTests],
          exclude: elsewhere,
          testTimeout: 120_000 * patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          include: ['e2e/engines/**/*.test.ts'],
          testTimeout: 180_000 * patience,
        },
      },
    ],
  },
})
