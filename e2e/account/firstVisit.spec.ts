import { expect, type Page, type Route } from '@playwright/test'
import { test } from '../fixtures.ts'
import { samePlace } from '../samePlace.ts'

/** Holds back the app's code until the returned function is called. */
async function holdCode(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = []
  let open = false
  await page.route(/\/assets\/[^/]+\.js$/, route =>
    open ? route.continue() : void held.push(route),
  )
  return async () => {
    open = true
    await Promise.all(held.map(route => route.continue()))
  }
}

/** Texts and places, in pixels, of everything that the sign-in screen shows. */
async function placesOn(page: Page) {
  const shown = page.locator('h1, label, input, button, form ~ p, a')
  return shown.evaluateAll(elements =>
    elements.map(element => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return { text: element.textContent, place: { x, y, width, height } }
    }),
  )
}

for (const path of ['/', '/auth/sign-in']) {
  for (const [width, height] of [
    [390, 844],
    [844, 390],
    [1440, 900],
  ] as const) {
    test(`${path} shows the sign-in before the code has loaded, ${width}×${height}`, async ({
      open,
    }) => {
      const page = await open(undefined, { viewport: { width, height } })
      const release = await holdCode(page)
      await page.goto(path, { waitUntil: 'commit' })
      await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
      await page.getByLabel('Email').pressSequentially('ana@northline.example')
      await page.evaluate(() => document.fonts.ready)
      const before = await placesOn(page)

      await release()
      await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled()
      await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toHaveCount(1)
      await expect(page.getByLabel('Email')).toHaveValue('ana@northline.example')
      await expect(page.getByLabel('Email')).toBeFocused()
      const unmoved = before.map(({ text, place }) => ({ text, place: samePlace(place) }))
      expect(await placesOn(page)).toEqual(unmoved)
      await expect(page).toHaveURL('/auth/sign-in')
      await page.keyboard.type('.org')
      await expect(page.getByLabel('Email')).toHaveValue('ana@northline.example.org')
    })
  }
}

test('a half-typed address shows no error when the app takes over', async ({ open }) => {
  const page = await open()
  const release = await holdCode(page)
  await page.goto('/auth/sign-in', { waitUntil: 'commit' })
  await page.getByLabel('Email').fill('ana@')
  await release()
  await expect(page.getByRole('button', { name: 'Google' })).toBeEnabled()
  await expect(page.getByLabel('Email')).toHaveValue('ana@')
  await expect(page.getByText('Enter a complete email address.')).toBeHidden()
})

for (const path of ['/', '/auth/sign-in']) {
  test(`${path} never shows the sign-in to a signed-in user`, async ({ open, person }) => {
    const page = await open(await person('Ana'))
    const release = await holdCode(page)
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.querySelector('h1')?.textContent?.startsWith('Sign in'))
          document.documentElement.dataset.shown = 'sign-in'
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.locator('#root')).toBeAttached()
    await expect(page.getByRole('heading')).toHaveCount(0)
    await release()
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
