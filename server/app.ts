import type { Clock } from '#contract/shared/clock.ts'
import { registerSupport } from '#support/server/register.ts'
import { registerGoogle } from './auth/google.ts'
import { createAuthenticate } from './auth/logins/authenticate.ts'
import { openBlobStore } from './blobs/blobStore.ts'
import { addCalls } from './calls.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import type { AppContext } from './context.ts'
import type { Database } from './db/database.ts'
import { registerDevPages } from './dev/register.ts'
import { CallLimits } from './http/callLimits.ts'
import { ClientAddresses } from './http/clientAddress.ts'
import { defaultMaxConnections } from './http/maxConnections.ts'
import { addSecurityTxt } from './http/securityTxt.ts'
import { createHttp } from './http/server.ts'
import { openUpgrades } from './http/upgrades.ts'
import { addVersion } from './http/version.ts'
import { addWebFiles } from './http/webFiles.ts'
import type { Https } from './https/https.ts'
import { registerSetup } from './https/setup.ts'
import { LapKeeper } from './laps/lapKeeper.ts'
import { publishActiveInRace, publishOthersInRace } from './laps/publishInRace.ts'
import { publishYellow } from './laps/refreshYellow.ts'
import { countChange, readRevision } from './live/changes.ts'
import { createLiveContext } from './live/context.ts'
import { connectionTracer } from './live/liveTrace.ts'
import type { Bus, BusHooks } from './live/publish/bus.ts'
import { connectHub } from './live/publish/connectHub.ts'
import { frameEvent } from './live/publish/frame.ts'
import { createLive } from './live/publish/live.ts'
import { startRecheck } from './live/recheck.ts'
import { openLiveChannel } from './live/socket.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mailer.ts'
import { addMetrics, Metrics } from './metrics.ts'
import { pushSender } from './notifications/sendPush.ts'
import { SilentPhones } from './notifications/silentPhones.ts'
import { TeamEvents } from './notifications/teamEvents.ts'
import { vapidKeys } from './notifications/vapidKeys.ts'
import { watchCars } from './notifications/watchCars.ts'
import { sendAutoPit } from './races/autoPit.ts'
import { clearObeyed } from './races/clearObeyed.ts'
import { watchPractice } from './races/practice.ts'
import { recomputeRuns } from './races/runs.ts'
import { RateLimits } from './rateLimit/rateLimits.ts'
import { addHealth, createReadiness } from './readiness.ts'
import { startScheduledJobs } from './scheduledJobs.ts'
import { Recorder } from './telemetry/recorder.ts'
import { createRecordFix } from './telemetry/recordFix.ts'
import type { AddedBatch } from './timing/batches.ts'
import { Glass } from './timing/glass.ts'
import { OfficialTimings } from './timing/officialTiming.ts'
import { openTimingSockets } from './timing/pushSockets.ts'
import { RaceClocks } from './timing/raceClocks.ts'
import { SourceConnections } from './timing/sourceConnections.ts'

export interface AppOptions {
  config: Config
  log: Log
  database: Database
  mailer: Mailer
  /** Folder of the built web app. */
  webFolder: string
  /** HTTPS that the server speaks itself; by default a reverse proxy does. */
  https?: Https | undefined
  /** Builds the OpenAPI document before listening: see `createHttp`. */
  openApiAtStart?: boolean
  /** Defaults to the system clock; a simulation passes its own. */
  clock?: Clock
  /**
   * Connects this node to the others. Defaults to NATS if `config.natsUrl` is set, otherwise to nothing.
   */
  connectBus?: (hooks: BusHooks) => Promise<Bus>
  /** A test passes its own, to reset them. */
  rateLimits?: RateLimits
}

export interface App {
  /** The public URL of the server. */
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

/** Connects to the other nodes, and assembles the application without listening. */
export async function createApp(options: AppOptions) {
  const { clock = systemClock } = options
  const connected = await connectHub({ ...options, clock })
  try {
    return await assembleApp(options, connected)
  } catch (error) {
    // An open connection to the bus would keep the process of a failed start alive.
    await connected.bus.close()
    throw error
  }
}

/** Assembles the application of a connected node. Read this first. */
async function assembleApp(
  options: AppOptions,
  { hub, bus, isCluster }: Awaited<ReturnType<typeof connectHub>>,
) {
  const { config, log, database, webFolder, https, clock = systemClock } = options
  const { rateLimits = new RateLimits(clock) } = options
  const { db, commandDb, readDb } = database
  let listening = ''
  const publicUrl = () => config.publicUrl ?? https?.publicUrl() ?? listening

  const authentication = await createAuthenticate(database, publicUrl, clock)
  const live = createLive(
    hub,
    bus,
    isCluster ? change => countChange({ db, log }, change) : undefined,
  )
  const sender = config.webPush ? pushSender(config, await vapidKeys(db)) : null
  const events = new TeamEvents({ db, live, log, clock, rateLimits, sender, publicUrl })
  const lapKeeper = createLaps({
    db,
    commandDb,
    readDb,
    live,
    log,
    clock,
    events,
    recorder: { latest: session => recorder.latest(session) },
  })
  const recorder = new Recorder(database, log, clock, fixes => lapKeeper.onStored(fixes))
  const metrics = new Metrics()
  const context: AppContext = {
    config,
    log,
    clock,
    db,
    commandDb,
    readDb,
    mailer: options.mailer,
    live,
    recorder,
    recordFix: createRecordFix({
      clock,
      live,
      recorder,
      metrics,
      fixesPerSecond: config.fixesPerSecond,
    }),
    laps: lapKeeper,
    events,
    metrics,
    rateLimits,
    blobs: openBlobStore(config),
    authenticate: authentication.authenticate,
    publicUrl,
  }
  const silentPhones = new SilentPhones({
    ...context,
    db: readDb,
    publish: (team, event) => hub.publish(`team:${team}`, frameEvent(event)),
  })
  const liveContext = createLiveContext(context, {
    hub,
    silentIn: team => silentPhones.ofTeam(team),
    async listening(room) {
      await bus.listening()
      if (isCluster) await readRevision({ db: readDb, hub }, room)
    },
    trace: connectionTracer(log),
  })

  const limits = new CallLimits({
    rateLimits,
    trustProxy: config.trustProxy,
    identify: authentication.identify,
  })
  const http = await createHttp({
    log,
    trustProxy: config.trustProxy,
    certificate: https,
    publicUrl,
    clock,
    support: config.support,
    limits,
    openApiAtStart: options.openApiAtStart,
    maxConnections: config.maxConnections ?? defaultMaxConnections(),
  })
  const upgrades = openUpgrades(http.server, { publicUrl, log, limits })
  const { authenticateHeaders } = authentication
  const devPages = registerDevPages(http, context)
  const hasGoogle = registerGoogle(http, context, devPages.openIdClient)
  const official = openOfficialTiming(context)
  await addCalls(http, context, { events, official, hasGoogle })
  const timingSockets = openTimingSockets({
    upgrades,
    context: { ...context, onLines: official.onLines },
    authenticateHeaders,
  })
  const support = await registerSupport({ http, context, upgrades, authenticateHeaders })
  if (https?.setup) registerSetup(http, context, https.setup)
  const readiness = createReadiness(database, () => bus, clock)
  addHealth(http, readiness)
  if (config.metricsToken !== undefined)
    context.metrics.collectFrom({ hub, recorder: context.recorder, readiness, https })
  addMetrics(http, context.metrics, config.metricsToken)
  addSecurityTxt(http, { contact: config.securityContact, clock, publicUrl })
  addVersion(http, webFolder)
  await addWebFiles(http, webFolder)

  // A single process cannot miss its own events.
  const stopRecheck = isCluster ? startRecheck(liveContext) : () => undefined
  const { historyDays } = config
  const stopScheduledJobs = startScheduledJobs({
    ...context,
    timings: official.timings,
    historyDays,
    more: support.jobs,
  })
  const stopWatch = watchCars({ ...context, db: readDb })
  const stopPractice = watchPractice(context)
  const stopSilentPhones = silentPhones.watch()
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
    context,
    channel,
    authenticateHeaders,
    /** Listens, and resolves with the public URL. */
    async listen(): Promise<string> {
      const { host } = config
      listening = await http.listen({ host, port: https ? config.httpsPort : config.port })
      await https?.start(http.server)
      if (config.host === '127.0.0.1') listening = listening.replace('127.0.0.1', 'localhost')
      return publicUrl()
    },
    async close() {
      const jobsEnded = stopScheduledJobs()
      stopRecheck()
      stopWatch()
      stopPractice()
      stopSilentPhones()
      await official.close()
      hub.presence?.close()
      upgrades.close()
      https?.close()
      timingSockets.close()
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

/** Opens official timing: the connections to its sources, the race clocks and the flags on the glass that follow it. */
function openOfficialTiming(context: AppContext) {
  const { config, log, db, clock } = context
  const { raceMonitorUrl, raceHeroUrl } = config
  // A timekeeper in the paddock has a private address.
  const timingHosts = config.https === 'paddock' ? 'any' : config.timingHosts
  const timings = new OfficialTimings()
  const glass = new Glass(context, timings)
  const clocks = new RaceClocks(context, timings)
  const onLines = (feed: string, { raceId, changed, hasFlag }: AddedBatch) => {
    glass.updateFeed(feed)
    clocks.update(feed)
    if (!hasFlag) return
    publishYellow(context, changed)
    // The race of each car contains the laps of the others, and the finish.
    void publishActiveInRace(context, raceId).catch((err: unknown) =>
      log.warn({ err, raceId }, 'failed to publish laps to other sessions'),
    )
  }
  const sources = new SourceConnections({
    db,
    clock,
    log,
    timingHosts,
    raceMonitorUrl,
    raceHeroUrl,
    onLines,
  })
  return {
    timings,
    clocks,
    onLines,
    onSource: () => sources.update(),
    onEntry: glass.updateRace,
    async close() {
      glass.close()
      clocks.close()
      await sources.close()
    },
  }
}

/** Creates the lap timing of sessions. New laps may send PIT to the driver, and a phone may take over a car. */
function createLaps(
  context: Pick<AppContext, 'db' | 'commandDb' | 'readDb' | 'live' | 'log' | 'clock' | 'events'> & {
    recorder: Pick<Recorder, 'latest'>
  },
) {
  return new LapKeeper({
    ...context,
    onChanged: sessionId => {
      void sendAutoPit(context, sessionId)
      void clearObeyed(context, sessionId)
    },
    onPitExit: sessionId => void clearObeyed(context, sessionId),
    onMoved: sessionId =>
      void recomputeRuns(context, sessionId).catch((err: unknown) =>
        context.log.warn({ err, sessionId }, 'failed to compute which phone is in a car'),
      ),
    // The race of its car contains its laps.
    onCarChanged: sessionId =>
      void publishOthersInRace(context, sessionId).catch((err: unknown) =>
        context.log.warn({ err, sessionId }, 'failed to publish laps to other sessions'),
      ),
  })
}
