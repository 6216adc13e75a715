import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  expect,
  type Page,
} from '@playwright/test'
import { patience } from '#testing/patience.ts'
import { unrouteCalls } from './callRoutes.ts'

/** Changes that Playwright cannot undo: a page with one of them is not used again. */
const lasting = {
  page: ['routeWebSocket', 'exposeFunction', 'exposeBinding'],
  context: ['addInitScript', 'routeWebSocket', 'exposeFunction', 'exposeBinding'],
}

/** Methods whose changes `reset` or `adapt` undoes, with the part of the page that they change. */
const undone = {
  context: {
    setOffline: 'offline',
    grantPermissions: 'permissions',
    clearPermissions: 'permissions',
    setGeolocation: 'place',
    route: 'routes',
  },
  page: { setViewportSize: 'size', emulateMedia: 'media', route: 'routes' },
  clock: { install: 'clock', pauseAt: 'clock', setFixedTime: 'clock', setSystemTime: 'clock' },
} as const

type Undone = 'offline' | 'permissions' | 'place' | 'routes' | 'size' | 'media' | 'clock'

const networkEvents = ['request', 'requestfailed', 'requestfinished', 'response', 'websocket']

/** Events that tests listen to. */
const events = 'console dialog download framenavigated load pageerror popup'
  .split(' ')
  .concat(networkEvents)

/** Methods that need the network events. */
const network = {
  page: ['route', 'waitForRequest', 'waitForResponse'],
  context: ['route', 'setOffline'],
}
const listenMethods = ['on', 'once', 'addListener', 'waitForEvent']

interface Lent {
  readonly key: string
  /** The options with which the page was taken last. */
  options: BrowserContextOptions
  /** Sessions that the test created; `give` ends them. */
  readonly sessions: CDPSession[]
  readonly scripts: { dispose(): Promise<void> }[]
  readonly changed: Set<Undone>
  /** The pool's own session. */
  readonly devtools: Promise<CDPSession>
  /** Playwright's network events are off until the test needs them. */
  networkEvents: boolean
  changedForGood: boolean
}

/**
 * Pages for tests, each in a context of its own. A page that is given back is used again: opening the app in a
 * process that has loaded it before takes about 60 % of the processor time.
 */
export class PagePool {
  readonly #browser: Browser
  readonly #idle = new Map<string, Page[]>()
  readonly #lent = new WeakMap<Page, Lent>()

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** Returns an empty page without cookies, stored data or earlier requests. */
  async take(options: BrowserContextOptions): Promise<Page> {
    const adapted = { viewport: undefined, permissions: undefined, geolocation: undefined }
    const key = JSON.stringify({ ...options, ...adapted })
    const idle = this.#idle.get(key)?.pop()
    if (!idle) {
      const page = await (await this.#browser.newContext(options)).newPage()
      this.#watch(page, key, options)
      await setNetworkEvents(page, false)
      return page
    }
    await adapt(idle, this.#lent.get(idle)!, options)
    return idle
  }

  /** Takes a page back, or closes its context if the page cannot be used again. */
  async give(page: Page, { reuse = true } = {}) {
    const lent = this.#lent.get(page)
    if (page.isClosed()) return
    if (!lent || lent.changedForGood || !reuse || lent.options.serviceWorkers === 'allow') {
      await page.context().close()
      return
    }
    await reset(page, lent)
    const idle = this.#idle.get(lent.key) ?? []
    this.#idle.set(lent.key, [...idle, page])
  }

  async close() {
    for (const pages of this.#idle.values()) {
      for (const page of pages) await page.context().close()
    }
    this.#idle.clear()
  }

  /** Records what a test changes in a page, to undo it later. */
  #watch(page: Page, key: string, options: BrowserContextOptions) {
    const context = page.context()
    const lent: Lent = {
      key,
      options,
      sessions: [],
      scripts: [],
      changed: new Set(),
      devtools: context.newCDPSession(page),
      networkEvents: false,
      changedForGood: false,
    }
    this.#lent.set(page, lent)
    const forGood = () => {
      lent.changedForGood = true
    }
    for (const name of lasting.page) after(page, name, forGood)
    for (const name of lasting.context) after(context, name, forGood)
    const targets = { page, context, clock: context.clock }
    for (const [target, methods] of Object.entries(undone)) {
      for (const [name, part] of Object.entries(methods))
        after(targets[target as keyof typeof undone], name, () => lent.changed.add(part))
    }
    const turnOnEvents = () => {
      if (lent.networkEvents) return
      lent.networkEvents = true
      // The browser receives it before whatever the test does next. The page may be closed.
      void setNetworkEvents(page, true).catch(() => undefined)
    }
    for (const name of network.page) before(page, name, turnOnEvents)
    for (const name of network.context) before(context, name, turnOnEvents)
    for (const target of [page, context]) {
      for (const name of listenMethods)
        before(target, name, event => {
          if (networkEvents.includes(event)) turnOnEvents()
        })
    }
    // It would return only the requests since the events were turned on.
    before(page, 'requests', () => {
      throw new Error('A page of the pool does not record its requests: listen to them instead')
    })
    // A second tab has the size with which the context was created.
    after(context, 'newPage', (tab: Page) => tab.setViewportSize(sizeOf(lent.options)))
    after(page, 'addInitScript', (script: Lent['scripts'][number]) => lent.scripts.push(script))
    after(context, 'newCDPSession', (session: CDPSession) => {
      lent.sessions.push(session)
      // The session may emulate any of these.
      for (const part of ['place', 'size', 'media'] as const) lent.changed.add(part)
    })
  }
}

/** Calls `act` with the first argument before each call of this method. */
function before(target: object, name: string, act: (argument: string) => unknown) {
  const method: (...args: [string]) => unknown = Reflect.get(target, name)
  Object.assign(target, {
    [name]: (...args: [string]) => {
      act(args[0])
      return method.apply(target, args)
    },
  })
}

/** Calls `act` with the result of each call of this method. */
function after<R>(target: object, name: string, act: (result: R) => unknown) {
  const method: (...args: unknown[]) => Promise<R> = Reflect.get(target, name)
  Object.assign(target, {
    [name]: async (...args: unknown[]) => {
      const result = await method.apply(target, args)
      await act(result)
      return result
    },
  })
}

/** Sets the size, permissions and position of these options in a page that was used before. */
async function adapt(page: Page, lent: Lent, options: BrowserContextOptions) {
  const context = page.context()
  const needs = (part: Undone, name: keyof BrowserContextOptions) =>
    lent.changed.has(part) || JSON.stringify(options[name]) !== JSON.stringify(lent.options[name])
  if (needs('permissions', 'permissions')) {
    await context.clearPermissions()
    if (options.permissions) await context.grantPermissions(options.permissions)
  }
  if (needs('place', 'geolocation')) await context.setGeolocation(options.geolocation ?? null)
  if (needs('size', 'viewport')) await page.setViewportSize(sizeOf(options))
  lent.changed.clear()
  lent.options = options
}

/** The size of a page with these options; without one, the size that Playwright uses. */
function sizeOf({ viewport }: BrowserContextOptions) {
  return viewport ?? { width: 1280, height: 720 }
}

/** Removes everything that a test left in a page, apart from what `adapt` changes. */
async function reset(page: Page, lent: Lent) {
  const { options, sessions, scripts, changed, devtools } = lent
  const context = page.context()
  for (const each of context.pages()) if (each !== page) await each.close()
  for (const event of events) page.removeAllListeners(event)
  await unrouteCalls(page)
  for (const session of sessions.splice(0)) await session.detach().catch(() => undefined)
  for (const script of scripts.splice(0)) await script.dispose()
  if (changed.has('routes')) {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
  }
  if (changed.has('offline')) await context.setOffline(false)
  if (lent.networkEvents) await setNetworkEvents(page, false)
  lent.networkEvents = false
  if (changed.has('clock')) await uninstallClock(context)
  const { origin, protocol } = new URL(page.url())
  if (protocol.startsWith('http')) {
    await page.evaluate(() => sessionStorage.clear()).catch(() => undefined)
    // A page of the same site, since leaving the site would end the process.
    // The app may just be loading itself again, which interrupts this.
    await expect(() => page.goto(`${origin}/version.json`)).toPass({ timeout: 20_000 * patience })
    await (await devtools).send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  }
  await context.clearCookies()
  if (changed.has('media'))
    await page.emulateMedia({
      media: null,
      colorScheme: options.colorScheme ?? 'light',
      reducedMotion: options.reducedMotion ?? 'no-preference',
      contrast: options.contrast ?? 'no-preference',
      forcedColors: options.forcedColors ?? 'none',
    })
  for (const part of ['offline', 'routes', 'media', 'clock'] as const) changed.delete(part)
  // The mouse must not hover over the next page.
  await page.mouse.move(-1, -1)
}

/** The parts of Playwright's implementation that are used here. */
interface PageImplementation {
  delegate: { _mainFrameSession: { _client: { send(method: string): Promise<unknown> } } }
}

interface ContextImplementation {
  clock: { uninstall(progress: { race<T>(promise: Promise<T>): Promise<T> }): Promise<void> }
}

/**
 * Turns Playwright's network events of a page on or off. Playwright has no option for it, and the events of 65 files
 * take an eighth of the processor time of a page load.
 */
async function setNetworkEvents(page: Page, on: boolean) {
  const { delegate } = implementationOf<PageImplementation>(page)
  await delegate._mainFrameSession._client.send(on ? 'Network.enable' : 'Network.disable')
}

/** Removes Playwright's clock. The current document keeps it, the next one has the real time. */
async function uninstallClock(context: BrowserContext) {
  const { clock } = implementationOf<ContextImplementation>(context)
  await clock.uninstall({ race: promise => promise })
}

/** Returns the object of Playwright's browser side, which runs in the process of the tests. */
function implementationOf<T>(api: Page | BrowserContext): T {
  const connection: { toImpl(api: Page | BrowserContext): T } = Reflect.get(api, '_connection')
  return connection.toImpl(api)
}
