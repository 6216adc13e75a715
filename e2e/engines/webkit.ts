import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '#testing/freePort.ts'
import {
  callInPage,
  type Engine,
  keysOf,
  pressAt,
  type Reading,
  resultOf,
  type Tab,
  type Viewport,
} from './browser.ts'
import { findProgram, firstMatch, stop } from './processes.ts'

/** The toolbar of the window above the page. */
const toolbarPx = 38

const browserArgs = ['--automation', '--enable-write-console-messages-to-stdout=true']

/**
 * WebKitGTK on a virtual screen, driven by WebDriver. Its driver allows one session, so that each tab has its own.
 */
export const webkit = {
  name: 'WebKit',
  async find(): Promise<string | null> {
    return (await findProgram(['Xvfb'])) && findProgram(['WebKitWebDriver'])
  },
  async start(driver: string): Promise<Engine> {
    const args = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp']
    const screen = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    const display = `:${await firstMatch(screen.stdio[3] as Readable, /(\d+)\n/)}`
    const sessions: AsyncDisposable[] = []
    return {
      async newTab(viewport) {
        const session = await startSession(driver, display, viewport)
        sessions.push(session)
        return session.tab
      },
      async [Symbol.asyncDispose]() {
        for (const session of sessions) await session[Symbol.asyncDispose]()
        await stop(screen)
      },
    }
  },
}

interface Session extends AsyncDisposable {
  tab: Tab
}

async function startSession(
  program: string,
  display: string,
  viewport: Viewport,
): Promise<Session> {
  const port = await freePort()
  const driver = spawn(program, ['--host=127.0.0.1', `--port=${port}`], {
    env: { ...process.env, DISPLAY: display },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const errors: string[] = []
  // The browser prints its console there.
  driver.stdout.setEncoding('utf8').on('data', (text: string) => {
    errors.push(...text.split('\n').filter(line => / ERROR /.test(line)))
  })
  const url = `http://127.0.0.1:${port}/session`
  await listening(url)
  const { sessionId } = await call<{ sessionId: string }>('POST', url, {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { args: browserArgs } } },
  })
  const session = `${url}/${sessionId}`
  await call('POST', `${session}/window/rect`, {
    width: viewport.width,
    height: viewport.height + toolbarPx,
  })
  return {
    tab: tabOf(session, errors),
    async [Symbol.asyncDispose]() {
      await call('DELETE', session)
      await stop(driver)
    },
  }
}

/** The outcome of a function called in the page. */
interface Outcome {
  json?: string
  error?: string
}

function tabOf(session: string, errors: readonly string[]): Tab {
  const perform = (actions: object) => call('POST', `${session}/actions`, { actions: [actions] })
  const run: Tab['run'] = async (act, ...args) => {
    const script = `const done = arguments[0];
      ${callInPage(act, args)}.then(json => done({ json }), error => done({ error: String(error) }))`
    const body = { script, args: [] }
    const outcome = await call<Outcome>('POST', `${session}/execute/async`, body)
    if (outcome.error !== undefined) throw new Error(outcome.error)
    return resultOf(outcome.json)
  }
  return {
    errors,
    run,
    async open(url) {
      await call('POST', `${session}/url`, { url })
      await run(replaceReceiver)
    },
    press: async (x, y) => void (await perform(pressAt(x, y))),
    type: async text => void (await perform(keysOf(text))),
    locate: reading => run(report, reading),
  }
}

/** Runs in the page. WebKitGTK's driver cannot set a position: replaces the receiver by one that repeats readings. */
function replaceReceiver() {
  const watches = new Map<number, PositionCallback>()
  let position: GeolocationPosition | undefined
  addEventListener('reading', event => {
    const coords = { ...(event as CustomEvent).detail, accuracy: 4, heading: null }
    position = { coords, timestamp: Date.now() } as GeolocationPosition
    for (const report of watches.values()) report(position)
  })
  let watched = 0
  const receiver: Pick<Geolocation, 'watchPosition' | 'clearWatch'> = {
    watchPosition: report => {
      watched += 1
      watches.set(watched, report)
      if (position) report(position)
      return watched
    },
    clearWatch: watch => void watches.delete(watch),
  }
  Object.defineProperty(navigator, 'geolocation', { value: receiver })
}

/** Runs in the page. */
function report(reading: Reading) {
  dispatchEvent(new CustomEvent('reading', { detail: reading }))
}

async function listening(url: string) {
  const status = url.replace(/session$/, 'status')
  for (;;) {
    const isUp = await fetch(status).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await delay(50)
  }
}

async function call<Value>(method: string, url: string, body?: object): Promise<Value> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await response.json()) as { value: Value & { message?: string } }
  if (!response.ok) throw new Error(`${method} ${url}: ${value.message}`)
  return value
}
