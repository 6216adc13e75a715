import { type BrowserContext, expect, type Page, type Request } from '@playwright/test'
import type { MessageType } from '#contract/messages.ts'
import { pauseClock } from '../drive/driveScreen.ts'
import { waitForCode } from '../goOffline.ts'
import type { Deployment } from '../workerFixtures.ts'
import {
  activation,
  cachesOf,
  expectByCheck,
  expectUpdateToast,
  forgetBrowserCache,
  isRegistered,
  newestWorkerIsActive,
  openInstalled,
  passUpdateInterval,
  test,
  updatedText,
  versionOf,
  waitForCheckEnd,
  waitForController,
  waitForUpdate,
  withServiceWorker,
} from './installed.ts'

test.use(withServiceWorker)

const pendingUpdate = 'A new version is available'

test.describe.configure({ timeout: 2 * activation.timeout })

// spec: UP-1 UP-2 UP-4
test('on a list screen a new build announces itself and reloads, keeping the login', async ({
  deployment,
  browserOf,
}) => {
  await deployment.serve('usual')
  const context = await browserOf(deployment.scene.ana)
  const page = await openInstalled(context, '/teams')
  const before = await versionOf(page)
  expect(before).not.toContain('.next')
  await page.evaluate(() => {
    localStorage.setItem('something', 'else')
    sessionStorage.setItem('something', 'else')
  })
  const other = await openInstalled(context, '/teams/create')

  await deployment.serve('next')
  await expectByCheck(page, updatedText)
  await expect.poll(() => versionOf(page), activation).toBe(`${before}.next`)
  await expect(page.getByRole('link', { name: 'Northline Racing' })).toBeVisible()
  // Once connected, the new build stores the clock offset of the server.
  await expect
    .poll(() => page.evaluate(() => Object.fromEntries(Object.entries(localStorage))))
    .toEqual({
      appVersion: `${before}.next`,
      'pitboard.login': expect.stringContaining(deployment.scene.ana.email),
      'pitboard.clock': expect.any(String),
    })
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)

  await test.step('another tab updates although the first one has stored the new version', async () => {
    await waitForUpdate(other, `${before}.next`)
  })

  await test.step('the old build is removed from the cache, the new one is complete', async () => {
    await other.close()
    await page.reload()
    await expect.poll(() => cachesOf(page), activation).toEqual([`pitboard-shell-${before}.next`])
    await context.setOffline(true)
    await page.goto('/teams/create')
    await expect(page.getByLabel('Team Name')).toBeVisible()
    expect(await versionOf(page)).toBe(`${before}.next`)
  })
})

for (const screen of ['message', 'drive'] as const) {
  // spec: UP-2
  test(`an open ${screen} screen defers the reload, even if another tab updates`, async ({
    deployment,
    browserOf,
  }) => {
    await deployment.serve('usual')
    const { ana, leo, messagePath, drivePath } = deployment.scene
    const context = await browserOf(screen === 'drive' ? leo : ana)
    const page = await openInstalled(context, screen === 'drive' ? drivePath : messagePath)
    const before = await versionOf(page)
    await send(deployment, 'Go')
    await expect(page.getByText('Go', { exact: true })).toBeVisible()
    const list = await openInstalled(context, '/teams')

    await deployment.serve('next')
    await waitForCheckEnd(page)
    // The drive screen shows no toasts: it is shown after leaving the screen.
    if (screen === 'message') await expectByCheck(page, pendingUpdate)
    else await passUpdateInterval(page)
    await keepRequesting(page, '/version.json')
    await waitForUpdate(list, `${before}.next`)
    await waitForController(list)

    await page.bringToFront()
    await passUpdateInterval(page)
    await send(deployment, 'Push')
    await expect(page.getByText('Push', { exact: true })).toBeVisible()
    if (screen === 'drive') await expect(page.getByText(pendingUpdate)).toBeHidden()
    expect(await versionOf(page)).toBe(before)

    // Loads code of the old build that was not loaded before and that the server no longer has.
    await forgetBrowserCache(page)
    await expectUpdateToast(page, async () => {
      if (screen === 'drive') await page.keyboard.press('Escape')
      else await page.getByRole('link', { name: 'Back' }).click()
    })
    await expect.poll(() => versionOf(page), activation).toBe(`${before}.next`)
    await expect(page.getByRole('heading', { name: 'Northline Racing' })).toBeVisible()
  })
}

// spec: UP-3
test('a drive screen checks for an update every five minutes, and when it is left', async ({
  deployment,
  browserOf,
}) => {
  await deployment.serve('usual')
  const context = await browserOf(deployment.scene.leo)
  const page = await openInstalled(context, deployment.scene.drivePath)
  await expect(page.getByText('Online')).toBeVisible()
  let checks = 0
  await page.route('/version.json', route => {
    checks += 1
    return route.continue()
  })
  const expectChecks = async (count: number) => {
    await expect.poll(() => checks).toBe(count)
    await waitForCheckEnd(page)
  }
  // The page's clock also runs on its own: on a busy machine the first five minutes end before the tenth interval.
  for (let n = 0; n < 5; n++) await passUpdateInterval(page)
  await expectChecks(0)
  for (let n = 0; n < 5; n++) await passUpdateInterval(page)
  await expectChecks(1)
  await passUpdateInterval(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Northline Racing' })).toBeVisible()
  await expectChecks(2)
  await passUpdateInterval(page)
  await expectChecks(3)
})

// spec: UP-2
test('a drive screen opened during an update is not reloaded', async ({
  deployment,
  browserOf,
}) => {
  await deployment.serve('usual')
  const context = await browserOf(deployment.scene.leo)
  await delayTakeOver(context)
  const page = await openInstalled(
    context,
    deployment.scene.drivePath.replace(/\/[^/]+\/drive$/, ''),
  )
  const before = await versionOf(page)
  const enter = page.getByRole('link', { name: /Enter your existing Race Session/ })
  await expect(enter).toBeVisible()

  await deployment.serve('next')
  await expectByCheck(page, updatedText)
  await expect(page.locator('html')).toHaveAttribute('data-taking-over', '')
  await enter.click()
  await expect(page.getByText('Online')).toBeVisible()
  await page.evaluate(() => sessionStorage.setItem('something', 'else'))
  // A file that is requested while the old worker stops would keep that worker for five minutes.
  await waitForCode(page)
  await page.evaluate(() => dispatchEvent(new Event('take over now')))
  await expect.poll(() => page.evaluate(newestWorkerIsActive), activation).toBe(true)
  await send(deployment, 'Fuel')
  await expect(page.getByText('Fuel', { exact: true })).toBeVisible()
  expect(await versionOf(page)).toBe(before)
  expect(await page.evaluate(() => sessionStorage.getItem('something'))).toBe('else')

  await page.keyboard.press('Escape')
  await expect.poll(() => versionOf(page), activation).toBe(`${before}.next`)
})

test('a loading page keeps its build when another tab updates', async ({
  deployment,
  browserOf,
}) => {
  await deployment.serve('usual')
  const context = await browserOf(deployment.scene.ana)
  const ahead = await openInstalled(context, '/teams')
  const before = await versionOf(ahead)
  const loading = await context.newPage()
  await loading.addInitScript(() => {
    // Prevents this page from updating.
    const load = window.fetch
    const fetch: typeof load = (input, init) =>
      input === '/version.json' ? Promise.reject(new TypeError('away')) : load(input, init)
    Object.assign(window, { requestIdleCallback: () => 0, fetch })
  })
  await loading.goto('/teams')
  await expect(loading.getByRole('link', { name: 'Northline Racing' })).toBeVisible()
  // A file that is requested while the old worker stops would keep that worker for five minutes.
  await waitForCode(loading)

  await deployment.serve('next')
  await ahead.bringToFront()
  await waitForUpdate(ahead, `${before}.next`)
  await expect.poll(() => ahead.evaluate(newestWorkerIsActive), activation).toBe(true)

  await loading.bringToFront()
  await forgetBrowserCache(loading)
  await loading.getByRole('link', { name: 'Northline Racing' }).click()
  await expect(loading.getByRole('heading', { name: 'Northline Racing' })).toBeVisible()
  expect(await versionOf(loading)).toBe(before)
})

test('a version that only another node serves so far is awaited without a reload', async ({
  deployment,
  browserOf,
}) => {
  await deployment.serve('usual')
  const page = await openInstalled(await browserOf(deployment.scene.ana), '/teams')
  const before = await versionOf(page)
  await page.evaluate(() => Object.assign(window, { sameAsBefore: true }))
  // The node that responds to these checks has the new build already.
  const json = { version: `${before}.next` }
  await page.route('**/version.json', route => route.fulfill({ json }))
  for (let n = 0; n < 3; n++) await nextUpdateCheck(page)
  await expect(page.getByText(updatedText)).toBeHidden()
  expect(await page.evaluate(() => 'sameAsBefore' in window)).toBe(true)
  expect(await page.evaluate(() => localStorage.getItem('appVersion'))).toBe(before)

  await page.unroute('**/version.json')
  await deployment.serve('next')
  await waitForUpdate(page, `${before}.next`)
})

test('an unreachable server or an invalid response changes nothing', async ({
  deployment,
  browserOf,
}) => {
  const context = await browserOf(deployment.scene.ana)
  const page = await openInstalled(context, '/teams')
  const before = await page.evaluate(() => localStorage.getItem('appVersion'))
  expect(before).toBe(await versionOf(page))
  const answers = [
    { status: 502, json: { version: 'other' } },
    { status: 200, body: '<html>' },
    { status: 200, json: { version: 7 } },
    { status: 200, json: null },
  ]
  await page.evaluate(() => Object.assign(window, { sameAsBefore: true }))
  for (const answer of answers) {
    await page.route('**/version.json', route => route.fulfill(answer), { times: 1 })
    await nextUpdateCheck(page)
  }
  await page.route('**/version.json', route => route.abort(), { times: 1 })
  await nextUpdateCheck(page)
  const { headers } = await nextUpdateCheck(page)
  expect(headers['cache-control']).toBe('no-cache')
  await expect(page.getByText(updatedText)).toBeHidden()
  expect(await page.evaluate(() => 'sameAsBefore' in window)).toBe(true)
  expect(await page.evaluate(() => localStorage.getItem('appVersion'))).toBe(before)
})

// spec: UP-3
test('every 30 s the version and the service worker are checked once', async ({
  deployment,
  browserOf,
}) => {
  const context = await browserOf(deployment.scene.ana)
  await context.addInitScript(() => {
    const { update } = ServiceWorkerRegistration.prototype
    ServiceWorkerRegistration.prototype.update = function () {
      const { dataset } = document.documentElement
      dataset.asked = String(Number(dataset.asked ?? 0) + 1)
      return update.call(this)
    }
  })
  const page = await openInstalled(context, '/teams')
  await nextUpdateCheck(page)
  await waitForCheckEnd(page)
  await pauseClock(page)
  const versions: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/version.json')) versions.push(request.url())
  })
  const before = Number(await page.locator('html').getAttribute('data-asked'))
  const answered = page.waitForResponse('**/version.json')
  await page.clock.runFor(30_000)
  await answered
  await expect(page.locator('html')).toHaveAttribute('data-asked', String(before + 1))
  expect(versions).toHaveLength(1)
})

// spec: UP-4
test('the service worker registers after 30 s even if the app never settles', async ({
  deployment,
  browserOf,
}) => {
  const { ana } = deployment.scene
  const before = await openInstalled(await browserOf(ana), '/teams')
  const login = await before.evaluate(() => localStorage.getItem('pitboard.login') ?? '')

  // A signed-in user starts at the team list, whose code never arrives here.
  const page = await (await browserOf(ana)).newPage()
  await page.addInitScript(stored => localStorage.setItem('pitboard.login', stored), login)
  await page.clock.install()
  await page.route('**/assets/TeamListScreen-*.js', () => {})
  await page.goto('/teams', { waitUntil: 'commit' })
  await expect(page.getByRole('status')).toBeVisible()
  await pauseClock(page)
  expect(await page.evaluate(isRegistered)).toBe(false)
  await page.clock.runFor(30_000)
  await expect.poll(() => page.evaluate(isRegistered)).toBe(true)
})

/** Sends a message as Ana, from another device. */
async function send({ scene }: Deployment, type: MessageType) {
  const commandId = crypto.randomUUID()
  await scene.ana.call.messages.set({ sessionId: scene.sessionId, type, commandId })
}

/**
 * Repeats a request until the page is closed or reloaded, like the calls of several busy tabs. A request that
 * reaches the old service worker while it stops makes Chromium start it again, which delays the new one.
 */
function keepRequesting(page: Page, path: string) {
  return page.evaluate(async url => {
    const repeat = (): Promise<void> =>
      fetch(url)
        .then(response => response.text())
        .then(repeat)
    void repeat().catch(() => undefined)
  }, path)
}

/** Delays the take-over message to the new service worker until the event `take over now`. */
async function delayTakeOver(context: BrowserContext) {
  await context.addInitScript(() => {
    const post = Reflect.get(ServiceWorker.prototype, 'postMessage') as (...all: unknown[]) => void
    ServiceWorker.prototype.postMessage = function (data: unknown, ports: unknown) {
      if (data !== 'take-over') return post.call(this, data, ports)
      document.documentElement.dataset.takingOver = ''
      addEventListener('take over now', () => post.call(this, data), { once: true })
    }
  })
}

/** Advances the clock until the page has checked for an update; checks do not overlap. */
async function nextUpdateCheck(page: Page) {
  const checks: { headers: Record<string, string> }[] = []
  const record = (request: Request) => {
    if (request.url().endsWith('/version.json')) checks.push({ headers: request.headers() })
  }
  page.on('requestfinished', record)
  page.on('requestfailed', record)
  await expect
    .poll(async () => {
      if (checks.length === 0) await passUpdateInterval(page)
      return checks.length
    })
    .toBeGreaterThan(0)
  page.off('requestfinished', record)
  page.off('requestfailed', record)
  return checks[0]!
}
