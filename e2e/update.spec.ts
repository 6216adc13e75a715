import { expect, type Page, type Request } from '@playwright/test'
import { letHalfAMinutePass, openInstalled, test, versionOf, workerInCharge } from './installed.ts'

const updated = 'App updated and reloading'
const waits = 'A new version is here'

// spec: UP-1 UP-2 UP-3 UP-4
test('on a list screen a new build says so, reloads into itself, and one stays signed in', async ({
  garage,
  browserOf,
}) => {
  await garage.serve('usual')
  const context = await browserOf(garage.scene.ana)
  const page = await openInstalled(context, '/teams')
  const before = await versionOf(page)
  expect(before).not.toContain('.next')
  await page.evaluate(() => {
    localStorage.setItem('something', 'else')
    sessionStorage.setItem('something', 'else')
  })
  const other = await openInstalled(context, '/teams/create')

  await garage.serve('next')
  await letHalfAMinutePass(page)
  await expect(page.getByText(updated)).toBeVisible()
  await expect.poll(() => versionOf(page)).toBe(`${before}.next`)
  await expect(page.getByRole('link', { name: 'Northline Racing' })).toBeVisible()
  expect(await page.evaluate(() => Object.fromEntries(Object.entries(localStorage)))).toEqual({
    appVersion: `${before}.next`,
    'pitboard.login': expect.stringContaining(garage.scene.ana.email),
  })
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)

  await test.step('another tab follows, although the first one has moved the stored version', async () => {
    await letHalfAMinutePass(other)
    await expect.poll(() => versionOf(other)).toBe(`${before}.next`)
  })

  await test.step('the old build is gone from the device, the new one is there in full', async () => {
    await other.close()
    await page.reload()
    await expect.poll(() => cachesOf(page)).toEqual([`pitboard-shell-${before}.next`])
    await context.setOffline(true)
    await page.goto('/teams/create')
    await expect(page.getByLabel('Team Name')).toBeVisible()
    expect(await versionOf(page)).toBe(`${before}.next`)
  })
})

test('while the message screen is open the reload waits, also when another tab goes ahead', async ({
  garage,
  browserOf,
}) => {
  await garage.serve('usual')
  const { ana, messagePath } = garage.scene
  const context = await browserOf(ana)
  const page = await openInstalled(context, messagePath)
  const before = await versionOf(page)
  await expect(page.getByRole('heading', { name: /Leo Garnier/ })).toBeVisible()
  const list = await openInstalled(context, '/teams')

  await garage.serve('next')
  await letHalfAMinutePass(page)
  await expect(page.getByText(waits)).toBeVisible()
  await letHalfAMinutePass(list)
  await expect.poll(() => versionOf(list)).toBe(`${before}.next`)
  await workerInCharge(list)

  await page.bringToFront()
  await letHalfAMinutePass(page)
  await page.getByRole('button', { name: 'PUSH' }).click()
  await expect(page.getByRole('region', { name: 'Current message' })).toContainText('Push')
  expect(await versionOf(page)).toBe(before)

  // What comes now is code of the old build that was not loaded before, and that the server no longer has.
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByRole('heading', { name: 'Northline Racing' })).toBeVisible()
  await expect(page.getByText(updated)).toBeVisible()
  await expect.poll(() => versionOf(page)).toBe(`${before}.next`)
  await expect(page.getByRole('heading', { name: 'Northline Racing' })).toBeVisible()
})

test('a server that is away or answers nonsense changes nothing', async ({ garage, browserOf }) => {
  const context = await browserOf(garage.scene.ana)
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
    await nextLook(page)
  }
  await page.route('**/version.json', route => route.abort(), { times: 1 })
  await nextLook(page)
  const { headers } = await nextLook(page)
  expect(headers['cache-control']).toBe('no-cache')
  await expect(page.getByText(updated)).toBeHidden()
  expect(await page.evaluate(() => 'sameAsBefore' in window)).toBe(true)
  expect(await page.evaluate(() => localStorage.getItem('appVersion'))).toBe(before)
})

/** Lets time pass until the page has looked once more; while one look is under way there is no other. */
async function nextLook(page: Page) {
  const looks: { headers: Record<string, string> }[] = []
  const note = (request: Request) => {
    if (request.url().endsWith('/version.json')) looks.push({ headers: request.headers() })
  }
  page.on('requestfinished', note)
  page.on('requestfailed', note)
  await expect
    .poll(async () => {
      if (looks.length === 0) await letHalfAMinutePass(page)
      return looks.length
    })
    .toBeGreaterThan(0)
  page.off('requestfinished', note)
  page.off('requestfailed', note)
  return looks[0]!
}

function cachesOf(page: Page) {
  return page.evaluate(() => caches.keys())
}
