import { randomUUID } from 'node:crypto'
import type { CDPSession } from '@playwright/test'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { planeAround } from '#contract/shared/geo.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { createRace } from '#testing/people/createRace.ts'
import { addDriver, driverChange } from '#testing/people/roster.ts'
import { contextOf, type Scene } from '#testing/people/scene.ts'
import { driveRace } from '#testing/races.ts'
import { tcpProxy } from '#testing/tcpProxy.ts'
import type { Figures } from './figures.ts'
import { type InBrowser, inBrowser } from './inBrowser.ts'
import { newSubscription, startPushReceiver } from './load/pushReceiver.ts'
import type { Bench } from './main.ts'

const watchedS = 60

export const bench: Bench = {
  question: 'traffic and processor time of a drive screen with a fix each second, in a race',
  async run() {
    const push = await startPushReceiver()
    try {
      return await inBrowser(measureScreen, push.settings)
    } finally {
      await push.stop()
    }
  },
}

async function measureScreen({ server, browser, scene }: InBrowser): Promise<Figures> {
  const { ana, leo, drivePath, sessionId } = scene
  const bytes = { up: 0, down: 0 }
  await using network = await tcpProxy(Number(new URL(server.url).port), (from, to, direction) => {
    from.on('data', chunk => void (bytes[direction] += chunk.length)).pipe(to)
  })
  await startRace(scene)
  const context = await contextOf(browser, `http://127.0.0.1:${network.port}`, leo)
  const car = await context.newPage()
  const devtools = await context.newCDPSession(car)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await devtools.send('Network.enable')
  const stop = driveKartLaps(devtools)
  await car.goto(drivePath)
  await car.getByText('Online').waitFor()
  await car.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await new Promise(resolve => setTimeout(resolve, learningS * 1000))
  const finished = async () => (await ana.call.laps.list({ sessionId })).laps.length
  const laps = [await finished()]
  const idle = await measure(devtools, bytes)
  laps.push(await finished())
  await ana.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
  await car.getByRole('alert').waitFor()
  const flashing = await measure(devtools, bytes)
  laps.push(await finished())
  stop()
  const { sent } = await ana.call.notifications.test()
  if (!sent) throw new Error('The push service of the bench received nothing')
  return {
    watchedS,
    ...idle,
    laps: lapsBetween(laps[0], laps[1]),
    flashingMainThreadMsPerMinute: flashing.mainThreadMsPerMinute,
    flashingLaps: lapsBetween(laps[1], laps[2]),
  }
}

/** Starts a race with a limit for stints, with a driver of the roster in the car. Both people get notifications. */
async function startRace({ ana, leo, teamId, sessionId }: Scene) {
  const driver = await addDriver(ana, teamId, 'Marta Lindqvist')
  await driverChange(ana, sessionId, driver.id).send()
  await createRace(ana, teamId, { hours: 6, rules: { ...noRules, maxStintMs: 2 * 60 * 60 * 1000 } })
  for (const { call } of [ana, leo]) await call.notifications.subscribe(newSubscription())
}

/** Number of laps that were finished; throws if there were none. */
function lapsBetween(before = 0, after = 0): number {
  if (after <= before) throw new Error('No lap was finished')
  return after - before
}

/** Counts what the page sends, receives and computes. */
async function measure(devtools: CDPSession, bytes: { up: number; down: number }) {
  const counts = { framesUp: 0, framesDown: 0, requests: 0 }
  const countUp = () => void (counts.framesUp += 1)
  const countDown = () => void (counts.framesDown += 1)
  const countRequest = () => void (counts.requests += 1)
  devtools.on('Network.webSocketFrameSent', countUp)
  devtools.on('Network.webSocketFrameReceived', countDown)
  devtools.on('Network.requestWillBeSent', countRequest)
  const before = { ...bytes, ms: await taskMs(devtools) }
  await new Promise(resolve => setTimeout(resolve, watchedS * 1000))
  const after = { ...bytes, ms: await taskMs(devtools) }
  devtools.off('Network.webSocketFrameSent', countUp)
  devtools.off('Network.webSocketFrameReceived', countDown)
  devtools.off('Network.requestWillBeSent', countRequest)
  const perHour = (bytes: number) => Math.round((bytes * 3.6) / watchedS)
  const perMinute = (each: number) => Math.round((each * 60) / watchedS)
  return {
    sentKBPerHour: perHour(after.up - before.up),
    receivedKBPerHour: perHour(after.down - before.down),
    framesUpPerMinute: perMinute(counts.framesUp),
    framesDownPerMinute: perMinute(counts.framesDown),
    requestsPerMinute: perMinute(counts.requests),
    mainThreadMsPerMinute: perMinute(after.ms - before.ms),
  } satisfies Figures
}

/** Processor time of the page's main thread so far. */
async function taskMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
}

/** Time in which a phone drives two laps of the kart track and learns it. */
const learningS = 80

/**
 * Emulates a phone that drives laps on a kart track of 1 km, unlike any circuit of the app: the page receives a reading
 * each second. Call the result to stop.
 */
function driveKartLaps(devtools: CDPSession): () => void {
  const fixes = kartLaps()
  let next = 0
  const receiver = setInterval(() => {
    const fix = fixes[next++ % fixes.length]
    if (!fix) return
    const { latitude, longitude, speedMps } = fix
    const reading = { latitude, longitude, accuracy: 4, speed: speedMps ?? 0 }
    // The page closes before the last reading.
    devtools.send('Emulation.setGeolocationOverride', reading).catch(() => undefined)
  }, 1000)
  return () => clearInterval(receiver)
}

function kartLaps() {
  const from = planeAround(zolder.startFinish)
  const to = planeAround({ latitude: 45.6, longitude: 9.2 })
  const outline = zolder.outline.map(position => {
    const { eastM, northM } = from.toPoint(position)
    return to.toPosition({ eastM: eastM / 4, northM: northM / 4 })
  })
  const laps = Array.from({ length: 10 }, (_, lap) => ({ pace: 0.9 + 0.03 * Math.sin(lap) }))
  return driveRace({ outline, laps, whiteM: 1, driftM: 1, startShare: 0.6 }).fixes
}
