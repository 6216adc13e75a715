import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { circuits } from '#contract/circuits.ts'
import { auth } from '#contract/people/auth.ts'
import { passkeys } from '#contract/people/passkeys.ts'
import { privacy } from '#contract/people/privacy.ts'
import { users } from '#contract/people/users.ts'
import { fills } from '#contract/races/fills.ts'
import { races } from '#contract/races/races.ts'
import { roster } from '#contract/races/roster.ts'
import { rulePacks } from '#contract/races/rulePacks.ts'
import { stints } from '#contract/races/stints.ts'
import { laps } from '#contract/sessions/laps.ts'
import { messages } from '#contract/sessions/messages.ts'
import { positions } from '#contract/sessions/positions.ts'
import { sessions } from '#contract/sessions/sessions.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { files } from '#contract/teams/files.ts'
import { notifications } from '#contract/teams/notifications.ts'
import { teams } from '#contract/teams/teams.ts'
import { televisions } from '#contract/teams/televisions.ts'
import { words } from '#contract/teams/words.ts'
import { registerSupport } from '#support/server/register.ts'
import { addAccountExport } from './auth/account/exportAccount.ts'
import { registerGoogle } from './auth/google/google.ts'
import { type Authenticate, createAuthenticate } from './auth/logins/authenticate.ts'
import { tokenInCookie } from './auth/logins/loginCookie.ts'
import { supportsPasskeys } from './auth/passkeys/relyingParty.ts'
import { passkeyCalls } from './auth/passkeys/routes.ts'
import { privacyCalls } from './auth/privacy.ts'
import { authCalls } from './auth/routes.ts'
import { userCalls } from './auth/users.ts'
import { addCircuitExport } from './circuits/files/exportCircuit.ts'
import { circuitCalls } from './circuits/routes.ts'
import { systemClock } from './clock.ts'
import { type Config, hasDevPages, SettingsRefused } from './config.ts'
import type { AppContext } from './context.ts'
import type { Database } from './db/database.ts'
import { registerDevPages } from './dev/register.ts'
import { CallLimits } from './http/callLimits.ts'
import { ClientAddresses } from './http/connections/clientAddress.ts'
import { defaultMaxConnections } from './http/connections/maxConnections.ts'
import { openUpgrades } from './http/connections/upgrades.ts'
import { mount } from './http/route.ts'
import { createHttp } from './http/server.ts'
import { addSecurityTxt } from './http/web/securityTxt.ts'
import { addVersion } from './http/web/version.ts'
import { addWebFiles } from './http/web/webFiles.ts'
import { LapKeeper } from './laps/lapKeeper.ts'
import { lapCalls } from './laps/routes.ts'
import { type Bus, type BusHooks, noopBus } from './live/bus/bus.ts'
import { forceReconnectAll } from './live/bus/forceReconnect.ts'
import { connectNats } from './live/bus/natsBus.ts'
import { createLiveContext, type LiveContext } from './live/context.ts'
import { createLiveTrace } from './live/debug/liveTrace.ts'
import { applyNotice, createLive } from './live/live.ts'
import { frameEvent } from './live/rooms/frame.ts'
import { Hub } from './live/rooms/hub.ts'
import { Presence } from './live/rooms/presence.ts'
import { startRecheck } from './live/rooms/recheck.ts'
import { openLiveChannel } from './live/socket.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mailer.ts'
import { addMessagesCsv } from './messages/csv.ts'
import { messageCalls } from './messages/routes.ts'
import { addMetrics, Metrics } from './metrics.ts'
import { raceCalls, rulePackCalls } from './races/routes.ts'
import { shareCounts } from './rateLimit/sharedLimits.ts'
import { addHealth, createReadiness } from './readiness.ts'
import { startScheduledJobs } from './scheduledJobs.ts'
import { addContactRoute } from './sessions/contact.ts'
import { addExportRoutes } from './sessions/recordings/exportRoutes.ts'
import { addImportRoute } from './sessions/recordings/import/importRoute.ts'
import { positionCalls } from './sessions/recordings/routes.ts'
import { sessionCalls } from './sessions/routes.ts'
import { sendAutoPit } from './stints/autoPit.ts'
import { fillCalls } from './stints/fillRoutes.ts'
import { rosterCalls } from './stints/roster/routes.ts'
import { stintCalls } from './stints/routes.ts'
import { openBlobStore } from './storage/blobs/blobStore.ts'
import { addFileRoutes, fileCalls } from './storage/routes.ts'
import { notificationCalls } from './teams/events/routes.ts'
import { pushSender } from './teams/events/sendPush.ts'
import { TeamEvents } from './teams/events/teamEvents.ts'
import { vapidKeys } from './teams/events/vapidKeys.ts'
import { watchCars } from './teams/events/watchCars.ts'
import { teamCalls } from './teams/routes.ts'
import { televisionCalls } from './teams/televisions/routes.ts'
import { wordCalls } from './teams/words/routes.ts'
import { Recorder } from './telemetry/recorder.ts'

export interface AppOptions {
  config: Config
  log: Log
  database: Database
  mailer: Mailer
  /** Folder of the built web app. */
  webFolder: string
  /** Defaults to the system clock; a simulation passes its own. */
  clock?: Clock
  /**
   * Connects this node to the others. Defaults to NATS if `config.natsUrl` is set, otherwise to nothing.
   */
  connectBus?: (hooks: BusHooks) => Promise<Bus>
}

export interface App {
  /** The public address of the server. */
  url: string
  /** Closes live connections first, then ends requests, then stores the recorded fixes. */
  close(): Promise<void>
}

/** Starts the server and listens. */
export async function startApp(options: AppOptions): Promise<App> {
  const app = await createApp(options)
  try {
    return { url: await app.listen(), close: app.close }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** Assembles the application without listening. Read this first. */
export async function createApp(options: AppOptions) {
  const { config, log, database, webFolder, clock = systemClock } = options
  let listening = ''
  const publicUrl = () => config.publicUrl ?? listening

  const { hub, bus, isCluster } = await connectHub(options, clock)
  const authentication = await createAuthenticate(database, publicUrl, clock)
  const live = createLive(hub, bus)
  const sender = config.webPush ? pushSender(config, await vapidKeys(database.db)) : null
  const events = new TeamEvents({ db: database.db, live, log, clock, sender })
  const lapKeeper = new LapKeeper({
    db: database.db,
    live,
    log,
    clock,
    events,
    onChanged: sessionId => void sendAutoPit(context, sessionId),
  })
  const context: AppContext = {
    config,
    log,
    clock,
    db: database.db,
    commandDb: database.commandDb,
    mailer: options.mailer,
    live,
    recorder: new Recorder(database, log, clock, (fixes, isAll) =>
      lapKeeper.onStored(fixes, isAll),
    ),
    laps: lapKeeper,
    events,
    metrics: new Metrics(),
    blobs: openBlobStore(config),
    authenticate: authentication.authenticate,
    publicUrl,
  }
  const liveContext = createLiveContext(context, {
    hub,
    listening: () => bus.listening(),
    fixesPerSecond: config.fixesPerSecond,
    trace: createLiveTrace({ log, clock, keepFrames: hasDevPages(config) }),
  })

  const limits = createCallLimits(context, authentication.identify)
  const http = await createHttp({
    log,
    trustProxy: config.trustProxy,
    publicUrl,
    support: config.support,
    limits,
    maxConnections: config.maxConnections ?? defaultMaxConnections(),
  })
  const upgrades = openUpgrades(http.server, { publicUrl, log, limits })
  const { authenticateHeaders } = authentication
  const hasGoogle = await addCalls(http, context, liveContext)
  const support = await registerSupport({ http, context, upgrades, authenticateHeaders })
  const readiness = createReadiness(database, () => bus, clock)
  addHealth(http, readiness)
  if (config.metricsToken !== undefined)
    context.metrics.collectFrom({ hub, recorder: context.recorder, readiness })
  addMetrics(http, context.metrics, config.metricsToken)
  addSecurityTxt(http, { contact: config.securityContact, clock, publicUrl })
  addVersion(http, webFolder)
  await addWebFiles(http, {
    folder: webFolder,
    hasLogin: ({ headers }) => tokenInCookie(headers, publicUrl()) !== undefined,
    signInOffers: () => ({ google: hasGoogle(), passkeys: supportsPasskeys(publicUrl()) }),
  })

  // A single process cannot miss its own events.
  const stopRecheck = isCluster ? startRecheck(liveContext) : () => undefined
  const { historyDays } = config
  const stopScheduledJobs = startScheduledJobs({ ...context, historyDays, more: support.jobs })
  const stopWatch = watchCars(context)
  const addresses = new ClientAddresses(config.trustProxy)
  const channel = openLiveChannel({
    connectionsPerUser: config.connectionsPerUser,
    upgrades,
    context: liveContext,
    authenticateHeaders,
    addressOf: request => addresses.of(request),
  })

  return {
    http,
    channel,
    authenticateHeaders,
    /** Listens, and resolves with the public address. */
    async listen(): Promise<string> {
      listening = await http.listen({ host: config.host, port: config.port })
      if (config.host === '127.0.0.1') listening = listening.replace('127.0.0.1', 'localhost')
      return publicUrl()
    },
    async close() {
      const jobsEnded = stopScheduledJobs()
      stopRecheck()
      stopWatch()
      hub.presence?.close()
      upgrades.close()
      await Promise.all([channel.close(), support.close()])
      await http.close()
      await jobsEnded
      await context.recorder.close()
      await lapKeeper.close()
      await events.close()
      await bus.close()
    },
  }
}

/** Creates this node's hub, connected to the other nodes if there are any. */
async function connectHub(
  { config, log, connectBus = connectToNats(config, log) }: AppOptions,
  clock: Clock,
) {
  // The hub and the bus need each other: the hub subscribes to rooms on the bus, which delivers their
  // events.
  let bus: Bus = noopBus
  const node = randomUUID()
  const presence = new Presence({
    clock,
    publish: (room, event) => hub.publish(room, frameEvent(event)),
    ...(connectBus && {
      announce: (room, users) => bus.send(room, { do: 'watching', node, users }),
    }),
  })
  const hub: Hub = new Hub(
    { opened: room => bus.subscribe(room), closed: room => bus.unsubscribe(room) },
    presence,
    clock,
  )
  if (connectBus) {
    bus = await connectBus({
      onNotice: (room, notice) => applyNotice(hub, room, notice),
      // Sign-outs may have been missed too: every client reconnects, is authenticated again, and takes a
      // snapshot.
      onGap: () => forceReconnectAll(hub, clock),
    })
  }
  if (config.natsUrl && !config.s3)
    log.warn('files are stored in DATA_DIR: all nodes must share this folder, or use an S3 store')
  return { hub, bus, isCluster: connectBus !== undefined }
}

/** Creates the rate limit of calls, shared by the nodes if there are several. */
function createCallLimits(
  { config, clock, log, db }: AppContext,
  identify: Authenticate['identify'],
) {
  return new CallLimits({
    clock,
    log,
    trustProxy: config.trustProxy,
    identify,
    ...(config.natsUrl && {
      countTogether: (counts, window) => shareCounts(db, { what: 'calls', counts, window }),
    }),
  })
}

/** Adds the endpoints of every topic. Returns whether people can sign in with Google, once the server listens. */
async function addCalls(http: FastifyInstance, context: AppContext, live: LiveContext) {
  const devPages = registerDevPages(http, context, live)
  const hasGoogle = registerGoogle(http, context, devPages.openIdClient)
  mount(http, 'auth', auth, authCalls(context, hasGoogle), context)
  mount(http, 'passkeys', passkeys, passkeyCalls(context), context)
  mount(http, 'users', users, userCalls(context), context)
  mount(http, 'teams', teams, teamCalls(context), context)
  mount(http, 'televisions', televisions, televisionCalls(context), context)
  mount(http, 'sessions', sessions, sessionCalls(context), context)
  mount(http, 'messages', messages, messageCalls(context), context)
  mount(http, 'words', words, wordCalls(context), context)
  mount(http, 'notifications', notifications, notificationCalls(context), context)
  mount(http, 'laps', laps, lapCalls(context), context)
  mount(http, 'circuits', circuits, circuitCalls(context), context)
  mount(http, 'roster', roster, rosterCalls(context), context)
  mount(http, 'stints', stints, stintCalls(context), context)
  mount(http, 'races', races, raceCalls(context), context)
  mount(http, 'rulePacks', rulePacks, rulePackCalls(context), context)
  mount(http, 'fills', fills, fillCalls(context), context)
  mount(http, 'positions', positions, positionCalls(context), context)
  mount(http, 'files', files, fileCalls(context), context)
  mount(http, 'privacy', privacy, privacyCalls(context), context)
  await addFileRoutes(http, context)
  addContactRoute(http, context, live)
  addMessagesCsv(http, context)
  addCircuitExport(http, context)
  addExportRoutes(http, context)
  await addImportRoute(http, context)
  addAccountExport(http, context)
  return hasGoogle
}

function connectToNats({ natsUrl: url }: Config, log: Log) {
  if (url === undefined) return undefined
  return (hooks: BusHooks) =>
    connectNats({ url, log, ...hooks }).catch((error: Error) => {
      throw new SettingsRefused(`NATS_URL: cannot connect to the NATS server (${error.message})`)
    })
}
