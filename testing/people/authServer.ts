import type { FastifyInstance } from 'fastify'
import { auth } from '#contract/auth.ts'
import { passkeys } from '#contract/passkeys.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { users } from '#contract/users.ts'
import { authCalls } from '#server/account/authRoutes.ts'
import { userCalls } from '#server/account/users.ts'
import { registerGoogle } from '#server/auth/google.ts'
import { createAuthenticate } from '#server/auth/logins/authenticate.ts'
import { passkeyCalls } from '#server/auth/passkeyRoutes.ts'
import { openBlobStore } from '#server/blobs/blobStore.ts'
import { systemClock } from '#server/clock.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { AppContext } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import { registerDevPages } from '#server/dev/register.ts'
import { CallLimits } from '#server/http/callLimits.ts'
import { mount } from '#server/http/route.ts'
import { createHttp } from '#server/http/server.ts'
import { LapKeeper } from '#server/laps/lapKeeper.ts'
import { noopBus } from '#server/live/publish/bus.ts'
import { Hub } from '#server/live/publish/hub.ts'
import { createLive } from '#server/live/publish/live.ts'
import { createLog } from '#server/log.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { Metrics } from '#server/metrics.ts'
import { TeamEvents } from '#server/notifications/teamEvents.ts'
import { RateLimits } from '#server/rateLimit/rateLimits.ts'
import { Recorder } from '#server/telemetry/recorder.ts'
import { testDatabase } from '../database/database.ts'
import { type Client, CookieJar, createClient } from './client.ts'

import { codeIn } from './person.ts'
import { type SmtpServer, startSmtpServer } from './smtp.ts'

export interface Browser {
  jar: CookieJar
  call: Client
}

export interface AuthServer extends AsyncDisposable {
  http: FastifyInstance
  /** The address on which it listens, regardless of PUBLIC_URL. */
  url: string
  context: AppContext
  db: Database['db']
  hub: Hub
  /** The mail server; unused with `withoutSmtp`. */
  mails: SmtpServer
  /** A new browser, which may open the pages under /dev. */
  browser(): Browser
  /** Returns the browser of this address; a code is valid only in the browser that requested it. */
  browserOf(email: string): Browser
  /** Requests a code in that browser, or in the given one, and reads it from the mail. */
  codeFor(
    email: string,
    names?: { firstName: string; lastName: string },
    browser?: Browser,
  ): Promise<string>
}

/** Starts only the sign-in part of the server, with settings that the whole app would refuse. */
export async function authServer(
  settings: Partial<Config> & { withoutSmtp?: boolean; clock?: Clock } = {},
): Promise<AuthServer> {
  const { withoutSmtp = false, clock = systemClock, ...changed } = settings
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
  const log = createLog(config.logLevel)
  let url = ''
  const publicUrl = () => config.publicUrl ?? url
  const hub = new Hub({ opened: () => {}, closed: () => {} })
  const { db, commandDb, readDb } = database.open
  const mailer = createMailer({ smtpUrl, from: config.mailFrom, print: () => {} })
  const { authenticate, identify } = await createAuthenticate(database.open, publicUrl, clock)
  const live = createLive(hub, noopBus)
  const rateLimits = new RateLimits(clock)
  const context: AppContext = {
    config,
    log,
    clock,
    db,
    commandDb,
    readDb,
    mailer,
    live,
    recorder: new Recorder(database.open, log, clock),
    laps: new LapKeeper({ db, live, log, clock }),
    events: new TeamEvents({ db, live, log, clock, rateLimits, sender: null, publicUrl }),
    metrics: new Metrics(),
    recordFix: () => null,
    rateLimits,
    blobs: openBlobStore(config),
    authenticate,
    publicUrl,
  }

  const { trustProxy } = config
  const limits = new CallLimits({ rateLimits, trustProxy, identify })
  const http = await createHttp({ log, trustProxy, publicUrl, limits })
  const devPages = registerDevPages(http, context)
  const hasGoogle = registerGoogle(http, context, devPages.openIdClient)
  mount(http, 'auth', auth, authCalls(context, hasGoogle), context)
  mount(http, 'passkeys', passkeys, passkeyCalls(context), context)
  mount(http, 'users', users, userCalls(context), context)
  url = await http.listen({ host: '127.0.0.1', port: 0 })

  function browser(): Browser {
    const jar = new CookieJar()
    if (config.dev) jar.storeLines([`pitboard_dev=${config.devToken}`])
    return { jar, call: createClient(url, jar) }
  }

  const browsers = new Map<string, Browser>()
  function browserOf(email: string): Browser {
    const known = browsers.get(email.toLowerCase()) ?? browser()
    browsers.set(email.toLowerCase(), known)
    return known
  }

  return {
    http,
    url,
    context,
    db,
    hub,
    mails,
    browser,
    browserOf,
    async codeFor(email, names, { call } = browserOf(email)) {
      await call.auth.sendCode({ email, ...names })
      const codes = mailer.outbox
        ?.list({ to: email })
        .filter(mail => mail.subject.endsWith(' code'))
      return codes?.[0] ? codeIn(codes[0].text) : mails.nextCode(email)
    },
    async [Symbol.asyncDispose]() {
      await http.close()
      mailer.close()
      await database[Symbol.asyncDispose]()
      await mails[Symbol.asyncDispose]()
    },
  }
}
