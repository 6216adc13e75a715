import { expect, type Page } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { knownTypes } from '#contract/shared/messageTypes.ts'
import { test } from '../fixtures.ts'
import {
  boxOf,
  landscape,
  pauseClock,
  phoneOptions,
  portrait,
  pressDrive,
  readyOn,
  setHidden,
  showLeave,
  waitForPaint,
  wordOn,
} from './driveScreen.ts'

// spec: DR-29
test('Drive requests full screen and a wake lock, renewed when visible again', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await grantWakeLocks(phone)
  await phone.goto(`${driveUrl}?checks`)
  const drive = readyOn(phone).getByRole('button', { name: 'Drive' })
  await expect.poll(async () => (await boxOf(drive)).height).toBeGreaterThanOrEqual(72)
  await pressDrive(phone)
  await expect(phone.getByRole('button')).toHaveCount(0)
  await expect(phone.locator('html')).toHaveAttribute('data-locks', '1')
  await expect.poll(() => phone.evaluate(() => document.fullscreenElement?.tagName)).toBe('HTML')

  await setHidden(phone, true)
  await setHidden(phone, false)
  await expect(phone.locator('html')).toHaveAttribute('data-locks', '2')
})

// spec: DR-29
test('without full screen the tap that acknowledges requests the wake lock', async ({
  scene,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await grantWakeLocks(phone)
  await phone.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'fullscreenEnabled', { value: false })
  })
  await phone.goto(driveUrl)
  await expect(phone.getByText('Online')).toBeVisible()
  await send('Go')
  await expect(wordOn(phone)).toBeVisible()
  await waitForPaint(phone)
  await phone.getByRole('main').tap()
  await expect(phone.locator('html')).toHaveAttribute('data-locks', '1')
})

// spec: DR-29
test('if full screen is refused, the next Drive requests it again', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await grantWakeLocks(phone)
  await phone.addInitScript(() => {
    const original = Element.prototype.requestFullscreen
    let refused = false
    Element.prototype.requestFullscreen = function (options) {
      if (refused) return original.call(this, options)
      refused = true
      document.documentElement.dataset.refused = ''
      return Promise.reject(new TypeError('Not now'))
    }
  })
  await phone.goto(`${driveUrl}?checks`)
  await pressDrive(phone)
  await expect(phone.locator('html')).toHaveAttribute('data-refused')
  await showLeave(phone)
  await phone.getByRole('button', { name: 'Checks' }).tap()
  await pressDrive(phone)
  await expect.poll(() => phone.evaluate(() => document.fullscreenElement?.tagName)).toBe('HTML')
  await expect(phone.locator('html')).toHaveAttribute('data-locks', '1')
})

// spec: DR-30
test('nothing scrolls, zooms, overscrolls or is selected, in either orientation', async ({
  phone,
  send,
}) => {
  await send('Abort')
  await expect(wordOn(phone)).toBeVisible()
  for (const size of [portrait, landscape]) {
    await phone.setViewportSize(size)
    await expect(phone.getByRole('main')).toHaveCSS('touch-action', 'none')
    await expect(phone.getByRole('main')).toHaveCSS('user-select', 'none')
    await expect(phone.locator('html')).toHaveCSS('overscroll-behavior-y', 'none')
    await expect(phone.locator('html')).toHaveCSS('overflow-y', 'hidden')
    await wordOn(phone).dblclick()
    await phone.mouse.wheel(0, 500)
    await expect.poll(() => phone.evaluate(() => innerWidth)).toBe(size.width)
    await waitForPaint(phone)
    const seen = await phone.evaluate(() => ({
      selected: String(getSelection()),
      scrolled: scrollY,
      scale: visualViewport?.scale,
      overflowing: document.documentElement.scrollWidth > innerWidth,
    }))
    expect(seen).toEqual({ selected: '', scrolled: 0, scale: 1, overflowing: false })
  }
})

// spec: DR-2
test('in landscape each message fills the safe area above the speed, and stays inside', async ({
  phone,
  gps,
  send,
}) => {
  const devtools = await phone.context().newCDPSession(phone)
  const cutOut = { left: 59, right: 21, bottom: 21 }
  const width = landscape.width - cutOut.left - cutOut.right
  const height = landscape.height - cutOut.bottom
  await phone.setViewportSize(landscape)
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: cutOut })
  await gps({ ...spaFrancorchamps.startFinish, speed: 50 })
  const speed = phone.getByText(/^180\s*km\/h$/)
  await expect(speed).toBeVisible()
  for (const type of knownTypes) {
    await send(type)
    await expect(wordOn(phone)).toHaveText(type)
    // The page may be painted with one of the insets before it has the others.
    await expect
      .poll(async () => {
        const word = await boxOf(wordOn(phone))
        const below = await boxOf(speed)
        return {
          type,
          fitsWide: word.x >= cutOut.left && word.x + word.width <= cutOut.left + width,
          fitsHigh: word.y >= 0 && below.y + below.height <= height,
          isAboveSpeed: word.y + word.height <= below.y,
          // Long words fill the width, short ones the height that the speed leaves.
          fills: word.width > width * 0.9 || word.height > height / 2,
        }
      })
      .toEqual({ type, fitsWide: true, fitsHigh: true, isAboveSpeed: true, fills: true })
  }
})

// spec: CO-15
test('rotating the phone hides the page for 50 ms', async ({ scene, open, driveUrl }) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.clock.install()
  await phone.goto(driveUrl)
  await expect(phone.getByText('Online')).toBeVisible()
  await pauseClock(phone)
  for (const size of [landscape, portrait]) {
    await phone.setViewportSize(size)
    await expect(phone.locator('html')).toHaveCSS('opacity', '0')
    await phone.clock.runFor(49)
    expect(await opacityOf(phone)).toBe('0')
    await phone.clock.runFor(1)
    expect(await opacityOf(phone)).toBe('1')
  }
})

/** Mocks the wake lock, which a headless browser does not have: always granted, and counted. */
async function grantWakeLocks(phone: Page) {
  await phone.addInitScript(() => {
    let locks = 0
    let held: (EventTarget & { released: boolean }) | null = null
    const request = () => {
      // The first request needs a user activation.
      if (locks === 0 && !navigator.userActivation.isActive)
        return Promise.reject(new Error('No tap'))
      locks += 1
      document.documentElement.dataset.locks = String(locks)
      held = Object.assign(new EventTarget(), { released: false, release: () => Promise.resolve() })
      return Promise.resolve(held)
    }
    Object.defineProperty(navigator, 'wakeLock', { value: { request } })
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.visibilityState !== 'hidden' || !held) return
        held.released = true
        held.dispatchEvent(new Event('release'))
      },
      true,
    )
  })
}

async function opacityOf(phone: Page): Promise<string> {
  return phone.locator('html').evaluate(root => getComputedStyle(root).opacity)
}
