import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import {
  callInPage,
  type Engine,
  keysOf,
  pressAt,
  resultOf,
  type Tab,
  type Viewport,
} from './browser.ts'
import { findProgram, firstMatch, stop } from './processes.ts'

/** No first-run pages and no traffic of its own; websites may read the location. */
const preferences = {
  'remote.active-protocols': 1,
  'permissions.default.geo': 1,
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  // Allows storage that lasts without asking.
  'dom.storageManager.prompt.testing': true,
  'dom.storageManager.prompt.testing.allow': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
}

/** Firefox without windows, driven by WebDriver BiDi. */
export const firefox = {
  name: 'Firefox',
  find: () => findProgram(['firefox-esr', 'firefox']),
  async start(program: string): Promise<Engine> {
    const profile = await mkdtemp(join(tmpdir(), 'pitboard-firefox-'))
    const lines = Object.entries(preferences).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    )
    await writeFile(join(profile, 'user.js'), lines)
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0']
    const browser = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    const url = await firstMatch(browser.stderr, /WebDriver BiDi listening on (ws:\S+)/)
    const bidi = await connect(`${url}/session`)
    await bidi.call('session.new', { capabilities: {} })
    await bidi.call('session.subscribe', { events: ['log.entryAdded'] })
    return {
      newTab: viewport => newTab(bidi, viewport),
      async [Symbol.asyncDispose]() {
        bidi.close()
        await stop(browser)
        await rm(profile, { recursive: true, force: true })
      },
    }
  },
}

async function newTab(bidi: Bidi, viewport: Viewport): Promise<Tab> {
  const { userContext } = await bidi.call('browser.createUserContext', {})
  const { context } = await bidi.call('browsingContext.create', { type: 'window', userContext })
  await bidi.call('browsingContext.setViewport', { context, viewport })
  const errors: string[] = []
  bidi.onEvent(({ method, params }) => {
    const isOurs = method === 'log.entryAdded' && params.source?.context === context
    if (isOurs && params.level === 'error') errors.push(params.text)
  })
  const perform = (actions: object) =>
    bidi.call('input.performActions', { context, actions: [actions] })
  return {
    errors,
    open: async url =>
      void (await bidi.call('browsingContext.navigate', { context, url, wait: 'complete' })),
    async run(act, ...args) {
      const { result, exceptionDetails } = await bidi.call('script.evaluate', {
        target: { context },
        awaitPromise: true,
        expression: callInPage(act, args),
      })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return resultOf(result.value)
    },
    press: async (x, y) => void (await perform(pressAt(x, y))),
    type: async text => void (await perform(keysOf(text))),
    locate: async ({ latitude, longitude, speed }) =>
      void (await bidi.call('emulation.setGeolocationOverride', {
        contexts: [context],
        coordinates: { latitude, longitude, speed, accuracy: 4 },
      })),
  }
}

interface Bidi {
  call(method: string, params: object): Promise<Result>
  onEvent(listener: (event: { method: string; params: EventParams }) => void): void
  close(): void
}

/** The fields read here of all results. */
interface Result {
  context: string
  userContext: string
  result: { value?: string }
  exceptionDetails?: { text: string }
}

interface EventParams {
  level: string
  text: string
  source?: { context: string }
}

async function connect(url: string): Promise<Bidi> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const pending = new Map<number, (response: { result: Result; error?: string }) => void>()
  const listeners: Parameters<Bidi['onEvent']>[0][] = []
  let calls = 0
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString())
    if (frame.type === 'event') for (const listener of listeners) listener(frame)
    else pending.get(frame.id)?.(frame)
  })
  return {
    async call(method, params) {
      const id = ++calls
      const responded = new Promise<{ result: Result; error?: string; message?: string }>(resolve =>
        pending.set(id, resolve),
      )
      socket.send(JSON.stringify({ id, method, params }))
      const { result, error, message } = await responded
      pending.delete(id)
      if (error) throw new Error(`${method}: ${error}, ${message}`)
      return result
    },
    onEvent: listener => void listeners.push(listener),
    close: () => socket.close(),
  }
}
