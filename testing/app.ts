import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import type { Clock } from '#contract/shared/clock.ts'
import { type App, startApp } from '#server/app.ts'
import { systemClock } from '#server/clock.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { Https } from '#server/https/https.ts'
import { createLog } from '#server/log.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { RateLimits } from '#server/rateLimit/rateLimits.ts'
import { testDatabase } from './database/database.ts'
import { createPerson } from './people/person.ts'
import { startSmtpServer } from './people/smtp.ts'

/** Level of the log, unless a test sets `logLevel`. */
const logLevel = process.env.TEST_LOG_LEVEL ?? 'error'

/** Vitest and Playwright attribute what a test prints to it. */
const testLog: DestinationStream = { write: line => console.log(line.trimEnd()) }

export type TestApp = Awaited<ReturnType<typeof testApp>>

/** Starts the whole server on its own database, with a real mail server. */
export async function testApp(
  settings: Partial<Config> = {},
  logTo: DestinationStream = testLog,
  clock?: Clock,
  https?: Https,
) {
  const cleanups: (() => unknown)[] = []
  const mails = await startSmtpServer()
  cleanups.push(() => mails[Symbol.asyncDispose]())
  const { open: database, ...made } = await testDatabase()
  cleanups.push(() => made[Symbol.asyncDispose]())
  const config: Config = {
    ...readConfig({ PORT: '0', SMTP_URL: mails.url, LOG_LEVEL: logLevel }),
    ...settings,
  }
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, print: () => {} })
  cleanups.push(() => mailer.close())
  const rateLimits = new RateLimits(clock ?? systemClock)
  const app: App = await startApp({
    config,
    log: createLog(config.logLevel, logTo),
    database,
    mailer,
    webFolder: join(import.meta.dirname, '../dist/web'),
    rateLimits,
    https,
    ...(clock && { clock }),
  })
  cleanups.push(() => app.close())
  return {
    url: app.url,
    database,
    mails,
    rateLimits,
    /** Signs up a new user with the code from the mail. */
    person: async (firstName: string, lastName = 'Tester') => {
      const person = await createPerson(app.url, mails, {
        firstName,
        lastName,
        email: `${firstName.toLowerCase()}-${randomUUID().slice(0, 8)}@example.com`,
      })
      cleanups.push(() => person[Symbol.dispose]())
      return person
    },
    /** Resets all rate limits, also those that are counted in the database. */
    forgetLimits: async () => {
      rateLimits.clear()
      await database.db.deleteFrom('rate_counts').execute()
    },
    async [Symbol.asyncDispose]() {
      for (const cleanup of cleanups.reverse()) await cleanup()
    },
  }
}
