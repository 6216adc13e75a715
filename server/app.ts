import { auth } from '#contract/auth.ts'
import { files } from '#contract/files.ts'
import { messages } from '#contract/messages.ts'
import { sessions } from '#contract/sessions.ts'
import { teams } from '#contract/teams.ts'
import { users } from '#contract/users.ts'
import { registerDemoProvider } from './auth/demoProvider.ts'
import { registerDevSignIn } from './auth/devSignIn.ts'
import { registerGoogle } from './auth/google.ts'
import { createAuthenticate } from './auth/logins.ts'
import { authCalls } from './auth/routes.ts'
import { userCalls } from './auth/users.ts'
import { startChores } from './chores.ts'
import { type Config, isOnlyForThisMachine, SettingsRefused } from './config.ts'
import type { Database } from './db/database.ts'
import { watchForOthers } from './db/otherProcesses.ts'
import { mount } from './http/route.ts'
import { createHttp } from './http/server.ts'
import { openUpgrades } from './http/upgrades.ts'
import { addVersion } from './http/version.ts'
import { addWebFiles } from './http/webFiles.ts'
import { countAllTogether } from './limits.ts'
import { alone, type Bus } from './live/bus.ts'
import { sendAllBack } from './live/comeBack.ts'
import { createFloor } from './live/floor.ts'
import { Hub } from './live/hub.ts'
import { createLive, hear } from './live/live.ts'
import { connectNats } from './live/natsBus.ts'
import { startRecheck } from './live/recheck.ts'
import { openLiveChannel } from './live/socket.ts'
import type { Log } from './log.ts'
import { registerMailbox } from './mail/mailbox.ts'
import type { Mailer } from './mail/mailer.ts'
import { addMessagesCsv } from './messages/csv.ts'
import { messageCalls } from './messages/routes.ts'
import { addMetrics, Metrics } from './metrics.ts'
import type { Parts } from './parts.ts'
import { addHealth, createReadiness } from './readiness.ts'
import { addContactRoute } from './sessions/contact.ts'
import { sessionCalls } from './sessions/routes.ts'
import { openBlobStore } from './storage/blobStore.ts'
import { addFileRoutes, fileCalls } from './storage/routes.ts'
import { openSupport } from './support/support.ts'
import { teamCalls } from './teams/routes.ts'
import { Recorder } from './telemetry/recorder.ts'

interface Foundation {
  config: Config
  log: Log
  database: Database
  mailer: Mailer
  /** The built web app. */
  webFolder: string
}

export interface App {
  /** Where the server listens, as people open it. */
  url: string
  /** Lines are told first, then calls end, then what was recorded is written. */
  close(): Promise<void>
}

/** Puts the parts together and listens. Read this first. */
export async function startApp({
  config,
  log,
  database,
  mailer,
  webFolder,
}: Foundation): Promise<App> {
  const { db } = database
  let listening = ''
  const publicUrl = () => config.publicUrl ?? listening

  // The hub needs the bus to hear of rooms, the bus the hub to say what it heard.
  let bus: Bus = alone
  const hub: Hub = new Hub({
    opened: room => bus.subscribe(room),
    closed: room => bus.unsubscribe(room),
  })
  if (config.natsUrl) {
    bus = await connectNats({
      url: config.natsUrl,
      log,
      hear: (room, notice) => hear(hub, room, notice),
      // Sign-outs may have been missed too: everybody comes back, is looked at, and takes a snapshot.
      onGap: () => sendAllBack(hub),
    }).catch((error: Error) => {
      throw new SettingsRefused(`NATS_URL: no NATS server answers there (${error.message})`)
    })
  }
  if (config.natsUrl && !config.s3)
    log.warn('files lie in DATA_DIR: all nodes must share this folder, or an S3 store')
  const live = createLive(hub, bus)
  const recorder = new Recorder(database, log)
  const metrics = new Metrics()
  const readiness = createReadiness(database, () => bus)
  const { authenticate, authenticateHeaders } = createAuthenticate(db, publicUrl)
  const blobs = openBlobStore(config)
  const parts: Parts = {
    config,
    log,
    db,
    mailer,
    live,
    recorder,
    metrics,
    blobs,
    authenticate,
    publicUrl,
  }
  const floor = createFloor(parts, hub, () => bus.listening())

  const { trustProxy, support: supportConfig } = config
  const http = await createHttp({
    log,
    trustProxy,
    publicUrl,
    support: supportConfig,
    ...(config.natsUrl && {
      countTogether: (counts, window) => countAllTogether(db, { what: 'calls', counts, window }),
    }),
  })
  const upgrades = openUpgrades(http.server, publicUrl, log)
  mount(http, 'auth', auth, authCalls(parts), parts)
  mount(http, 'users', users, userCalls(parts), parts)
  mount(http, 'teams', teams, teamCalls(parts), parts)
  mount(http, 'sessions', sessions, sessionCalls(parts), parts)
  mount(http, 'messages', messages, messageCalls(parts), parts)
  mount(http, 'files', files, fileCalls(parts), parts)
  await addFileRoutes(http, parts)
  addContactRoute(http, parts, floor)
  addMessagesCsv(http, parts)
  registerGoogle(http, parts)
  if (isOnlyForThisMachine(config) && mailer.outbox) {
    registerMailbox(http, mailer.outbox)
    registerDemoProvider(http, parts)
    registerDevSignIn(http, parts)
  }
  const support = await openSupport({ http, parts, upgrades, authenticateHeaders })
  addHealth(http, readiness)
  if (config.metricsToken !== undefined) metrics.watch({ hub, recorder, readiness })
  addMetrics(http, metrics, config.metricsToken)
  addVersion(http, webFolder)
  await addWebFiles(http, webFolder)

  try {
    listening = await http.listen({ host: config.host, port: config.port })
  } catch (error) {
    await http.close()
    await bus.close()
    throw error
  }
  if (config.host === '127.0.0.1') listening = listening.replace('127.0.0.1', 'localhost')
  // A process alone misses nothing of what it says itself.
  const stopRecheck = config.natsUrl ? startRecheck(floor) : () => undefined
  const stopWatch =
    database.engine === 'postgres' && !config.natsUrl ? watchForOthers(db, log) : () => undefined
  const stopChores = startChores({ db, log, historyDays: config.historyDays })
  const channel = openLiveChannel({ upgrades, floor, authenticateHeaders })

  return {
    url: publicUrl(),
    async close() {
      stopChores()
      stopWatch()
      stopRecheck()
      upgrades.close()
      await Promise.all([channel.close(), support.close()])
      await http.close()
      await recorder.close()
      await bus.close()
    },
  }
}
