import { type Browser, chromium, type Page } from '@playwright/test'
import { type BuiltServer, startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { contextOf, createScene } from '#testing/people/scene.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './main.ts'
import { driveKartLaps, learningS } from './phone/kartLaps.ts'
import { percentile } from './statistics.ts'

/** Duration of the measurement once the phone has learned its circuit. */
const watchedS = 90

export const bench: Bench = {
  question:
    'main thread of a drive screen that learns its circuit and times laps, and time from the line to the paint',
  async run(): Promise<Figures> {
    const server = await startBuiltServer()
    const browser = await chromium.launch(chromiumOptions)
    try {
      const timed = await car(browser, server, true)
      const untimed = await car(browser, server, false)
      await browser.startTracing(timed.page, { categories: ['devtools.timeline'] })
      const timedMs = [await timed.taskMs()]
      const untimedMs = [await untimed.taskMs()]
      for (const seconds of [learningS, watchedS]) {
        await new Promise(resolve => setTimeout(resolve, seconds * 1000))
        timedMs.push(await timed.taskMs())
        untimedMs.push(await untimed.taskMs())
      }
      const scriptsMs = scriptTimes(await browser.stopTracing())
      const laps = await paintedLaps(timed.page)
      timed.stop()
      untimed.stop()
      const since = (ms: readonly number[], from: number) => (ms[from + 1] ?? 0) - (ms[from] ?? 0)
      const perMinute = (ms: number, seconds: number) => Math.round((ms * 60) / seconds)
      return {
        watchedS,
        laps: laps.length,
        mainThreadMsPerMinute: perMinute(since(timedMs, 1), watchedS),
        mainThreadMsPerMinuteWithoutLaps: perMinute(since(untimedMs, 1), watchedS),
        learningMsPerMinute: perMinute(since(timedMs, 0), learningS),
        longestScriptMs: percentile(scriptsMs, 100),
        p99ScriptMs: percentile(scriptsMs, 99),
        fixToPaintMs: percentile(
          laps.map(({ fixToPaintMs }) => fixToPaintMs),
          50,
        ),
        slowestFixToPaintMs: percentile(
          laps.map(({ fixToPaintMs }) => fixToPaintMs),
          100,
        ),
      }
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

/** A phone with its drive screen open, which reports a fix each second. */
async function car(browser: Browser, server: BuiltServer, lapTiming: boolean) {
  const { leo, ana, drivePath, sessionId } = await createScene(server, `${lapTiming}.example`)
  await ana.call.sessions.setLapTiming({ sessionId, lapTiming })
  const context = await contextOf(browser, server.url, leo)
  const page = await context.newPage()
  await page.setViewportSize({ width: 844, height: 390 })
  await page.addInitScript(recordPaints)
  const devtools = await context.newCDPSession(page)
  // Without time in which the thread waits for a core.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const stop = driveKartLaps(devtools)
  await page.goto(drivePath)
  await page.getByText('Online').waitFor()
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  const taskMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
  return { page, taskMs, stop }
}

interface Painted {
  fixToPaintMs: number
}

/** Records, in the page, the time from each reading that brings a new lap to its paint. */
function recordPaints() {
  const painted: Painted[] = []
  Object.assign(window, { painted })
  let fixAt = 0
  const watch = navigator.geolocation.watchPosition.bind(navigator.geolocation)
  navigator.geolocation.watchPosition = (onFix, ...rest) =>
    watch(
      position => {
        fixAt = performance.now()
        onFix(position)
      },
      ...rest,
    )
  let last = ''
  // Without named functions, for which the compiler calls a helper that the page does not have.
  new MutationObserver(() => {
    const lap = document.querySelector('[data-lap-board] p')?.textContent ?? ''
    if (!/\d/.test(lap) || lap === last) return
    const from = last === '' ? null : fixAt
    last = lap
    // The second frame begins once the first one has been submitted.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (from !== null) painted.push({ fixToPaintMs: performance.now() - from })
      }),
    )
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

async function paintedLaps(page: Page): Promise<Painted[]> {
  const laps = await page.evaluate(() => (window as unknown as { painted: Painted[] }).painted)
  if (laps.length < 2) throw new Error(`Only ${laps.length} laps were shown`)
  return laps
}

interface TraceEvent {
  name: string
  /** Processor time of the thread, in microseconds. */
  tdur?: number
}

/** Returns the processor time of each run of the page's code, in milliseconds: an upper limit for pieces of timing. */
function scriptTimes(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const runs = traceEvents.filter(
    ({ name, tdur }) => tdur !== undefined && ['FunctionCall', 'RunMicrotasks'].includes(name),
  )
  if (runs.length < watchedS) throw new Error(`The trace has only ${runs.length} runs of code`)
  return runs.map(({ tdur = 0 }) => tdur / 1000)
}
