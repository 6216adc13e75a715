import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { createRace } from '#testing/people/createRace.ts'
import { contextOf, type Scene } from '#testing/people/scene.ts'
import {
  type FlagSource,
  recordedSource,
  replayFlags,
  tolerancesMs,
} from '#testing/simulation/race/flagReplay.ts'
import { tcpProxy } from '#testing/tcpProxy.ts'
import { timingRecordings } from '#testing/timingRecordings.ts'
import { timingServer } from '#testing/timingServer.ts'
import type { Figures } from './figures.ts'
import { inBrowser } from './inBrowser.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

const changes = 60

/** Time between two changes of the flag; the line is repeated each second. */
const betweenMs = 2300

/** Delay of each packet in one direction, and of one that is lost and sent again. */
const delayMs = [100, 200] as const
const lostShare = 0.02
const retransmissionMs = 400

const replayHours = 24

export const bench: Bench = {
  question:
    "from a line of the timekeeper to the painted flag on the driver's page, with 150 ± 50 ms and 2 % loss; false flags in a replay with 1 % of the lines lost",
  async run() {
    const recordings = timingRecordings()
    const painted = await measure()
    return {
      ...painted,
      replayHours,
      ...replayed('generated', undefined),
      ...(recordings.length > 0 && replayed('recorded', recordedSource(recordings))),
    } satisfies Figures
  },
}

/** Recordings of `TIMING_FOLDER` are repeated; a generated feed changes its flag more often, and is silent at times. */
function replayed(name: string, source: FlagSource | undefined): Figures {
  const { changes, compared, falseFlags, outdated, outdatedGreen, longestOutdatedMs } = replayFlags(
    {
      hours: replayHours,
      seed: 1,
      lostLines: 0.01,
      ...(source && { source }),
    },
  )
  if (changes === 0 || compared === 0) throw new Error('The replay painted no flag')
  const beyond = tolerancesMs.map((ms, index) => [
    [`${name} outdated > ${ms} ms`, outdated[index] ?? 0],
    [`${name} outdated green > ${ms} ms`, outdatedGreen[index] ?? 0],
  ])
  return {
    [`${name} changes`]: changes,
    [`${name} falseFlags`]: falseFlags,
    ...Object.fromEntries(beyond.flat()),
    [`${name} longestOutdatedMs`]: longestOutdatedMs,
  }
}

async function measure() {
  await using source = await timingServer()
  const settings = { TIMING_HOSTS: `127.0.0.1:${source.port}` }
  return inBrowser(async ({ server, browser, scene }) => {
    await using network = await tcpProxy(Number(new URL(server.url).port), delay)
    const connected = source.connected()
    await startRace(scene, source.port)
    const context = await contextOf(browser, `http://127.0.0.1:${network.port}`, scene.leo)
    const car = await context.newPage()
    await car.goto(scene.drivePath)
    await car.getByText('Flag not known').waitFor()
    await connected
    await recordPaints(car)
    const sentAt = await sendFlags(source)
    await pause(3000)
    const paintedAt = new Map(await paintsOf(car))
    const took = [...sentAt].flatMap(([flag, at]) => {
      const shown = paintedAt.get(flag)
      return shown === undefined ? [] : shown - at
    })
    return {
      changes,
      notPainted: changes - took.length,
      medianMs: percentile(took, 50),
      p95Ms: percentile(took, 95),
      slowestMs: percentile(took, 100),
    }
  }, settings)
}

async function startRace({ ana, teamId, sessionId }: Scene, port: number) {
  const raceId = await createRace(ana, teamId, { hours: 6 })
  const rmonitor = { kind: 'rmonitor' as const, host: '127.0.0.1', port }
  await ana.call.timing.setSource({ raceId, source: rmonitor })
  await ana.call.glass.set({ sessionId, parts: ['flag'] })
}

/** Sends flags, each repeated once a second. Returns when the first line of each was sent. */
async function sendFlags(source: Awaited<ReturnType<typeof timingServer>>) {
  const sentAt = new Map<string, number>()
  for (let n = 0; n < changes; n++) {
    const flag = `Flag${n}`
    const line = `$F,9999,"01:00:00","14:00:00","00:04:00","${flag}"`
    sentAt.set(flag, performance.timeOrigin + performance.now())
    source.send(line)
    for (let leftMs = betweenMs + (n % 7) * 70; leftMs > 0; leftMs -= 1000) {
      await pause(Math.min(1000, leftMs))
      if (leftMs > 1000) source.send(line)
    }
  }
  return sentAt
}

/** Records when each flag was painted first. */
function recordPaints(page: Page) {
  return page.evaluate(() => {
    const paints = new Map<string, number>()
    Object.assign(window, { paints })
    new MutationObserver(() => {
      const flag = document.querySelector('[data-glass-flag] b')?.textContent
      if (!flag || paints.has(flag)) return
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (!paints.has(flag)) paints.set(flag, performance.timeOrigin + performance.now())
        }),
      )
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  })
}

function paintsOf(page: Page): Promise<[string, number][]> {
  return page.evaluate(() => [...(window as unknown as { paints: Map<string, number> }).paints])
}

/** Delays and loses packets as a mobile network does. They arrive in order: those behind a lost one wait for it. */
function delay(from: Socket, to: Socket) {
  let lastAt = 0
  const later = (act: () => void) => {
    const [least, most] = delayMs
    const lostMs = Math.random() < lostShare ? retransmissionMs : 0
    lastAt = Math.max(lastAt, performance.now() + least + Math.random() * (most - least) + lostMs)
    setTimeout(act, lastAt - performance.now())
  }
  from.on('data', chunk => later(() => to.destroyed || to.write(chunk)))
  from.on('close', () => later(() => to.destroy()))
}
