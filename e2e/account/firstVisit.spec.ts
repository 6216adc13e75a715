import { expect, type Page, type Route } from '@playwright/test'
import { test } from '../fixtures.ts'
import { samePlace } from '../samePlace.ts'

/** Holds back the app's code and style sheet until the returned function is called. */
async function holdCode(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = []
  let open = false
  await page.route(/\/assets\/[^/]+\.(js|css)$/, route =>
    open ? route.continue() : void held.push(route),
  )
  return async () => {
    open = true
    await Promise.all(held.map(route => route.continue()))
  }
}

for (const [colorScheme, colour] of [
  ['light', 'rgb(236, 238, 234)'],
  ['dark', 'rgb(10, 12, 11)'],
] as const) {
  test(`the mark is painted before the code and the styles have loaded, ${colorScheme}`, async ({
    open,
  }) => {
    const page = await open(undefined, { colorScheme })
    const release = await holdCode(page)
    await page.goto('/auth/sign-in', { waitUntil: 'commit' })
    const mark = page.locator('#start svg')
    await expect(mark).toBeVisible()
    await expect
      .poll(() =>
        page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length),
      )
      .toBe(1)
    await expect(page.locator('html')).toHaveCSS('background-color', colour)
    await release()
    await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
    await expect(mark).toHaveCount(0)
    await expect(page.locator('body')).toHaveCSS('background-color', colour)
  })
}

test('the loading screen has the mark where index.html painted it', async ({ open }) => {
  const page = await open(undefined, { viewport: { width: 390, height: 844 } })
  await page.route('**/api/auth.login', () => {})
  const release = await holdCode(page)
  await page.goto('/auth/sign-in', { waitUntil: 'commit' })
  const before = await page.locator('#start svg').boundingBox()
  await release()
  const mark = page.getByRole('status', { name: 'Starting' }).locator('svg')
  expect(await mark.boundingBox()).toEqual(samePlace(before))
})

test('a first visit needs at most 14 requests and 170 kB', async ({ open }) => {
  const page = await open()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const loaded: { url: string; bytes: number }[] = []
  const urls = new Map<string, string>()
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) =>
    urls.set(requestId, request.url),
  )
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    loaded.push({ url: urls.get(requestId) ?? '', bytes: encodedDataLength }),
  )
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const kB = loaded.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
  // A failure lists all requests.
  expect(loaded.length > 14 || kB > 170 ? { kB, loaded } : null).toBeNull()
})

for (const path of ['/', '/auth/sign-in']) {
  test(`${path} never shows the sign-in to a signed-in user`, async ({ open, person }) => {
    const page = await open(await person('Ana'))
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.querySelector('h1')?.textContent?.startsWith('Sign in'))
          document.documentElement.dataset.shown = 'sign-in'
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page).toHaveURL('/teams')
    await expect(page.getByRole('button', { name: 'Profile' })).toBeVisible()
    await expect(page.locator('html')).not.toHaveAttribute('data-shown')
  })
}

test('without JavaScript the page asks to turn it on, and has no form', async ({ open }) => {
  const page = await open(undefined, { javaScriptEnabled: false })
  await page.goto('/auth/sign-in')
  const sentence = page.locator('noscript')
  await expect(sentence).toBeVisible()
  // Playwright's text matchers skip this element.
  const text = 'Pitboard needs JavaScript: turn it on and reload this page.'
  await expect(sentence).toHaveJSProperty('innerText', text)
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await expect(page.getByRole('heading')).toHaveCount(0)
})
