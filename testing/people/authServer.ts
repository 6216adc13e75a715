import type { AddressInfo } from 'node:net'
import type { Clock } from '#contract/shared/clock.ts'
import { createApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { createLog } from '#server/log.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { testDatabase } from '../database/database.ts'
import { type Client, CookieJar, createClient } from './client.ts'
import { codeIn } from './person.ts'
import { startSmtpServer } from './smtp.ts'

export interface Browser {
  jar: CookieJar
  call: Client
}

export type AuthServer = Awaited<ReturnType<typeof authServer>>

/** Starts the server with settings for tests of sign-in, some of which `readConfig` would refuse. */
export async function authServer(
  settings: Partial<Config> & { withoutSmtp?: boolean; clock?: Clock } = {},
) {
  const { withoutSmtp = false, clock, ...changed } = settings
  const mails = await startSmtpServer()
  const database = await testDatabase()
  const { dataDir } = database.settings
  const smtpUrl = withoutSmtp ? undefined : mails.url
  const config: Config = {
    ...readConfig({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir }),
    smtpUrl,
    dev: withoutSmtp,
    anonymousAccounts: true,
    ...changed,
  }
  const mailer = createMailer({ smtpUrl, from: config.mailFrom, print: () => {} })
  const app = await createApp({
    config,
    log: createLog(config.logLevel),
    database: database.open,
    mailer,
    webFolder: '/nowhere',
    ...(clock && { clock }),
  })
  await app.listen()
  const { port } = app.http.server.address() as AddressInfo
  const url = `http://localhost:${port}`

  /** Returns a new browser, which may open the pages under /dev. */
  function browser(): Browser {
    const jar = new CookieJar()
    if (config.dev) jar.storeLines([`pitboard_dev=${config.devToken}`])
    return { jar, call: createClient(url, jar) }
  }

  const browsers = new Map<string, Browser>()
  /** Returns the browser of this address; a code is valid only in the browser that requested it. */
  function browserOf(email: string): Browser {
    const known = browsers.get(email.toLowerCase()) ?? browser()
    browsers.set(email.toLowerCase(), known)
    return known
  }

  return {
    http: app.http,
    /** The address on which it listens, regardless of PUBLIC_URL. */
    url,
    context: app.context,
    db: database.open.db,
    /** The mail server; unused with `withoutSmtp`. */
    mails,
    browser,
    browserOf,
    /** Requests a code in that browser, or in the given one, and reads it from the mail. */
    async codeFor(
      email: string,
      names?: { firstName: string; lastName: string },
      { call }: Browser = browserOf(email),
    ) {
      await call.auth.sendCode({ email, ...names })
      const codes = mailer.outbox
        ?.list({ to: email })
        .filter(mail => mail.subject.endsWith(' code'))
      return codes?.[0] ? codeIn(codes[0].text) : mails.nextCode(email)
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      mailer.close()
      await database[Symbol.asyncDispose]()
      await mails[Symbol.asyncDispose]()
    },
  }
}
