import { expect, type Page } from '@playwright/test'
import { spaFrancorchamps } from '#contract/circuits/spa-francorchamps.ts'
import { messageTypes } from '#contract/messageTypes.ts'
import {
  lookOf,
  outlineOf,
  phoneOptions,
  setHidden,
  stopTime,
  test,
  turned,
  upright,
  wordOn,
} from './stint.ts'

const here = spaFrancorchamps.startFinish

/** `--msg-*` of `web/ui/tokens.css`: teal, green, blue, yellow, orange, light yellow twice, red. */
const colours: Record<(typeof messageTypes)[number], string> = {
  Easy: 'rgb(23, 190, 196)',
  Go: 'rgb(43, 227, 111)',
  Push: 'rgb(70, 153, 255)',
  Pit: 'rgb(255, 216, 20)',
  Fuel: 'rgb(255, 139, 31)',
  FCY: 'rgb(255, 245, 184)',
  SC: 'rgb(255, 245, 184)',
  Abort: 'rgb(255, 79, 69)',
}
const green = 'rgb(43, 227, 111)'
const red = 'rgb(255, 81, 71)'

// spec: DR-2 DR-4 DR-5 DR-6 DR-7 DR-8 DR-9 DR-10 DR-11 DR-21
test('each message fills the screen in its colour, larger in landscape', async ({
  phone,
  send,
}) => {
  for (const type of messageTypes) {
    await send(type)
    const word = wordOn(phone)
    await expect(word).toHaveText(type)
    expect(await outlineOf(word)).toBe(colours[type])
    await phone.setViewportSize(upright)
    const portraitPx = await fontSizePx(phone)
    await phone.setViewportSize(turned)
    await expect.poll(() => fontSizePx(phone)).toBeGreaterThan(portraitPx)
    // Huge: at least a third of the screen's height for the longest word, upright a tenth.
    expect(portraitPx).toBeGreaterThan(upright.height / 10)
    expect(await fontSizePx(phone)).toBeGreaterThan(turned.height / 3)
  }
})

// spec: DR-3 DR-27
test('the word turns from solid to hollow and back every 500 ms, and starts solid', async ({
  cast,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(cast.leo, phoneOptions)
  await phone.clock.install()
  await phone.goto(driveUrl)
  await send('Pit')
  await expect(wordOn(phone)).toHaveText('Pit')
  await stopTime(phone)

  let before = await lookOf(wordOn(phone))
  for (let toggles = 0; toggles < 6; toggles++) {
    await phone.clock.runFor(500)
    const after = await lookOf(wordOn(phone))
    expect(after).not.toBe(before)
    before = after
  }

  if (before === 'solid') await phone.clock.runFor(500)
  expect(await lookOf(wordOn(phone))).toBe('hollow')
  await send('Push')
  await expect(wordOn(phone)).toHaveText('Push')
  expect(await lookOf(wordOn(phone))).toBe('solid')
  await phone.clock.runFor(499)
  expect(await lookOf(wordOn(phone))).toBe('solid')
  await phone.clock.runFor(1)
  expect(await lookOf(wordOn(phone))).toBe('hollow')
})

// spec: DR-27
test('who wants less motion sees a steady word and a steady dot', async ({
  cast,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(cast.leo, { ...phoneOptions, reducedMotion: 'reduce' })
  await phone.clock.install()
  await phone.goto(driveUrl)
  await send('Abort')
  await expect(wordOn(phone)).toHaveText('Abort')
  await phone.context().setOffline(true)
  await expect(phone.getByText('Offline')).toBeVisible()
  await stopTime(phone)
  for (let half = 0; half < 4; half++) {
    await phone.clock.runFor(250)
    expect(await lookOf(wordOn(phone))).toBe('solid')
    expect((await dotOf(phone)).backgroundColor).toBe(red)
  }
})

// spec: DR-1 DR-16
test('without a message the screen is black, with the speed, the dot and the starting button', async ({
  phone,
  send,
}) => {
  const screen = phone.getByRole('main')
  for (const colorScheme of ['light', 'dark'] as const) {
    await phone.emulateMedia({ colorScheme })
    await expect(screen).toHaveCSS('background-color', 'rgb(0, 0, 0)')
  }
  expect(await screen.boundingBox()).toEqual({ x: 0, y: 0, ...upright })
  await expect(wordOn(phone)).toHaveCount(0)
  await expect(phone.getByText('No GPS')).toBeVisible()

  await send('Fuel')
  await expect(wordOn(phone)).toHaveText('Fuel')
  await send(null)
  await expect(wordOn(phone)).toHaveCount(0)
})

// spec: DR-12 DR-13 SP-1 SP-2 SP-3 SP-4
test('the speed stands below the message in km/h, or No GPS when it cannot be trusted', async ({
  phone,
  gps,
  send,
  watching,
}) => {
  await send('Go')
  await expect(phone.getByText('No GPS')).toBeVisible()

  await gps({ ...here, speed: 52.2 })
  const speed = phone.getByText(/^188\s*km\/h$/)
  await expect(speed).toBeVisible()
  await expect(phone.getByText('No GPS')).toBeHidden()
  expect((await boxOf(speed)).y).toBeGreaterThan((await boxOf(wordOn(phone))).y)

  const readings = [
    [{ accuracy: 301, speed: 50 }, null],
    [{ accuracy: 300, speed: 50 }, 180],
    [{ accuracy: 299, speed: 321 / 3.6 }, null],
    [{ accuracy: 298, speed: 320 / 3.6 }, 320],
    [{ accuracy: 297 }, null],
  ] as const
  for (const [reading, kmh] of readings) {
    await gps({ ...here, ...reading })
    const fix = await watching.next('fix', ({ ac }) => ac === reading.accuracy)
    expect(fix.v).toBe(kmh)
    const shown = kmh === null ? 'No GPS' : new RegExp(`^${kmh}\\s*km/h$`)
    await expect(phone.getByText(shown)).toBeVisible()
  }
})

// spec: DR-13 DR-23
test('a driver who does not give the position away drives without GPS, and it is logged', async ({
  cast,
  open,
  driveUrl,
}) => {
  const phone = await open(cast.leo, { ...phoneOptions, permissions: [] })
  const logged = phone.waitForEvent('pageerror', error => /gives no position/.test(error.message))
  await phone.goto(driveUrl)
  expect((await logged).message).toContain('denied')
  await expect(phone.getByText('No GPS')).toBeVisible()
  await expect(phone.getByText('Online')).toBeVisible()
})

// spec: DR-23
test('a browser without geolocation drives without GPS', async ({ cast, open, driveUrl }) => {
  const phone = await open(cast.leo, phoneOptions)
  await phone.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'geolocation')
  })
  await phone.goto(driveUrl)
  await expect(phone.getByText('Online')).toBeVisible()
  await expect(phone.getByText('No GPS')).toBeVisible()
})

// spec: DR-22
test('the receiver is asked for high accuracy, within 5 s, no older than 250 ms', async ({
  cast,
  open,
  driveUrl,
}) => {
  const phone = await open(cast.leo, phoneOptions)
  await phone.addInitScript(() => {
    const watch = Geolocation.prototype.watchPosition
    Geolocation.prototype.watchPosition = function (onPosition, onError, options) {
      document.documentElement.dataset.asked = JSON.stringify(options)
      return watch.call(this, onPosition, onError, options)
    }
  })
  await phone.goto(driveUrl)
  await expect(phone.getByText('Online')).toBeVisible()
  const asked = await phone.locator('html').getAttribute('data-asked')
  expect(JSON.parse(asked ?? '{}')).toEqual({
    enableHighAccuracy: true,
    timeout: 5000,
    maximumAge: 250,
  })
})

// spec: DR-14 DR-15 DR-17 DR-18 DR-19
test('offline closes the live line and flashes red; back online it catches up', async ({
  cast,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(cast.leo, phoneOptions)
  await phone.clock.install()
  const opened = phone.waitForEvent('websocket')
  await phone.goto(driveUrl)
  const state = phone.getByText('Online')
  await expect(state).toHaveCSS('color', green)
  expect((await dotOf(phone)).backgroundColor).toBe(green)
  const at = await boxOf(state)
  expect(at.x).toBeLessThan(upright.width / 4)
  expect(at.y).toBeGreaterThan(upright.height * 0.9)

  const line = await opened
  const closed = line.waitForEvent('close')
  await phone.context().setOffline(true)
  await expect(phone.getByText('Offline')).toHaveCSS('color', red)
  await closed
  await stopTime(phone)
  const before = await dotOf(phone)
  await phone.clock.runFor(500)
  const after = await dotOf(phone)
  expect([before.backgroundColor, after.backgroundColor].toSorted()).toEqual(
    [red, 'rgba(0, 0, 0, 0)'].toSorted(),
  )
  await send('SC')

  const reopened = phone.waitForEvent('websocket')
  await phone.clock.resume()
  await phone.context().setOffline(false)
  await reopened
  await expect(phone.getByText('Online')).toBeVisible()
  await expect(wordOn(phone)).toHaveText('SC')
})

// spec: DR-20
test('the phone reports each second, with its position or without', async ({
  phone,
  gps,
  watching,
}) => {
  const blind = [await watching.next('fix'), await watching.next('fix'), await watching.next('fix')]
  for (const fix of blind) expect(fix).toMatchObject({ la: null, lo: null, v: null, ac: null })
  expect(secondsBetween(blind)).toBeCloseTo(1, 0)

  await gps({ ...here, speed: 50 })
  const seen = [await watching.next('fix', ({ v }) => v === 180)]
  expect(seen[0]!.la).toBeCloseTo(here.latitude, 5)
  seen.push(await watching.next('fix'), await watching.next('fix'))
  for (const fix of seen) expect(fix.v).toBe(180)
  expect(secondsBetween(seen)).toBeCloseTo(1, 0)
  await expect(phone.getByText('Online')).toBeVisible()
})

// spec: DR-24
test('a report that the server refuses is logged, and the driving goes on', async ({
  cast,
  open,
  driveUrl,
}) => {
  const phone = await open(cast.leo, phoneOptions)
  await phone.routeWebSocket('**/live', page => {
    const server = page.connectToServer()
    let refused = false
    page.onMessage(frame => {
      const isFix = String(frame).includes('"t":"fix"')
      // One that this server would refuse: a speed no car has.
      server.send(isFix && !refused ? String(frame).replace('"v":null', '"v":999') : frame)
      refused ||= isFix
    })
  })
  const logged = phone.waitForEvent('pageerror', error => /refused a fix/.test(error.message))
  await phone.goto(driveUrl)
  expect((await logged).message).toContain('invalid-input')
  await expect(phone.getByText('Online')).toBeVisible()
})

// spec: DR-28
test('a tap, Enter or Space acknowledges: Copy shows for 2 s and the word stays solid', async ({
  cast,
  open,
  driveUrl,
  send,
  watching,
}) => {
  const phone = await open(cast.leo, phoneOptions)
  await phone.clock.install()
  await phone.goto(driveUrl)
  const acknowledge = [
    () => phone.getByRole('main').tap(),
    () => phone.keyboard.press('Enter'),
    () => phone.keyboard.press('Space'),
  ]
  for (const [index, act] of acknowledge.entries()) {
    // The same message once more is a new one: it flashes again.
    await send('Push')
    const version = index + 1
    await expect(phone.locator(`[data-version="${version}"]`)).toBeVisible()
    await stopTime(phone)
    if ((await lookOf(wordOn(phone))) === 'solid') await phone.clock.runFor(500)
    expect(await lookOf(wordOn(phone))).toBe('hollow')
    await act()
    await expect(phone.getByText('Copy')).toBeVisible()
    await watching.next(
      'receipt',
      frame => frame.version === version && frame.receipt.copiedAt !== null,
    )
    await phone.clock.runFor(1900)
    await expect(phone.getByText('Copy')).toBeVisible()
    expect(await lookOf(wordOn(phone))).toBe('solid')
    await expect(phone.locator('html')).toHaveAttribute('data-phase', 'a')
    await phone.clock.runFor(200)
    await expect(phone.getByText('Copy')).toBeHidden()
    expect(await lookOf(wordOn(phone))).toBe('solid')
    await phone.clock.resume()
  }
})

// spec: DR-29
test('the starting tap keeps the screen awake and fills it; the lock is taken again when the page is back', async ({
  cast,
  open,
  driveUrl,
}) => {
  const phone = await open(cast.leo, phoneOptions)
  await grantWakeLocks(phone)
  await phone.goto(driveUrl)
  const start = phone.getByRole('button', { name: 'Full screen, stay awake' })
  expect((await boxOf(start)).height).toBeGreaterThanOrEqual(84)
  await start.tap()
  await expect(start).toBeHidden()
  await expect(phone.locator('html')).toHaveAttribute('data-locks', '1')
  expect(await phone.evaluate(() => document.fullscreenElement?.tagName)).toBe('HTML')

  await setHidden(phone, true)
  await setHidden(phone, false)
  await expect(phone.locator('html')).toHaveAttribute('data-locks', '2')
})

// spec: DR-29
test('where the screen cannot be filled, the tap that acknowledges keeps it awake', async ({
  cast,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(cast.leo, phoneOptions)
  await grantWakeLocks(phone)
  await phone.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'fullscreenEnabled', { value: false })
  })
  await phone.goto(driveUrl)
  const start = phone.getByRole('button', { name: 'Stay awake' })
  await expect(start).toBeVisible()
  await send('Go')
  await expect(wordOn(phone)).toBeVisible()
  await phone.getByRole('main').tap()
  await expect(phone.locator('html')).toHaveAttribute('data-locks', '1')
  await send(null)
  await expect(wordOn(phone)).toHaveCount(0)
  await expect(phone.getByText('Copy')).toBeHidden()
  await expect(start).toBeHidden()
})

// spec: DR-30
test('nothing scrolls, zooms, is pulled or selected, upright and turned', async ({
  phone,
  send,
}) => {
  await send('Abort')
  await expect(wordOn(phone)).toBeVisible()
  for (const size of [upright, turned]) {
    await phone.setViewportSize(size)
    await expect(phone.getByRole('main')).toHaveCSS('touch-action', 'none')
    await expect(phone.getByRole('main')).toHaveCSS('user-select', 'none')
    await expect(phone.locator('html')).toHaveCSS('overscroll-behavior-y', 'none')
    await expect(phone.locator('html')).toHaveCSS('overflow-y', 'hidden')
    await wordOn(phone).dblclick()
    await phone.mouse.wheel(0, 500)
    const seen = await phone.evaluate(() => ({
      selected: String(getSelection()),
      scrolled: scrollY,
      scale: visualViewport?.scale,
      overflowing: document.documentElement.scrollWidth > innerWidth,
    }))
    expect(seen).toEqual({ selected: '', scrolled: 0, scale: 1, overflowing: false })
  }
})

// spec: CO-15
test('turning the phone hides the page for 50 ms', async ({ cast, open, driveUrl }) => {
  const phone = await open(cast.leo, phoneOptions)
  await phone.clock.install()
  await phone.goto(driveUrl)
  await expect(phone.getByText('Online')).toBeVisible()
  await stopTime(phone)
  for (const size of [turned, upright]) {
    await phone.setViewportSize(size)
    await expect(phone.locator('html')).toHaveCSS('opacity', '0')
    await phone.clock.runFor(49)
    expect(await opacityOf(phone)).toBe('0')
    await phone.clock.runFor(1)
    expect(await opacityOf(phone)).toBe('1')
  }
})

// spec: DR-31
test('the message is still there after a reload, and on a second phone of the driver', async ({
  cast,
  open,
  driveUrl,
  phone,
  send,
}) => {
  await send('FCY')
  await expect(wordOn(phone)).toHaveText('FCY')
  await phone.reload()
  await expect(wordOn(phone)).toHaveText('FCY')

  const spare = await open(cast.leo, phoneOptions)
  await spare.goto(driveUrl)
  await expect(wordOn(spare)).toHaveText('FCY')
  await send('Pit')
  await expect(wordOn(phone)).toHaveText('Pit')
  await expect(wordOn(spare)).toHaveText('Pit')
  await spare.getByRole('main').tap()
  // What the driver acknowledged on one phone needs no answer on the other.
  await expect(phone.locator('html')).toHaveAttribute('data-phase', 'a')
  await expect.poll(() => lookOf(wordOn(phone))).toBe('solid')
})

// spec: DR-32
test('only the driver can drive, only while the session is on', async ({
  cast,
  open,
  session,
  driveUrl,
  phone,
}) => {
  const kim = await open(cast.kim, phoneOptions)
  await kim.goto(driveUrl)
  await expect(kim.getByText('Only the driver of this session can drive it.')).toBeVisible()
  const stranger = await open(cast.stranger, phoneOptions)
  await stranger.goto(driveUrl)
  await expect(stranger.getByText('Night Owls')).toHaveCount(0)
  await expect(stranger.getByText('Online')).toHaveCount(0)
  await expect(stranger.getByRole('link', { name: /teams/i }).first()).toBeVisible()

  await cast.leo.call.sessions.end({ sessionId: session.id })
  await expect(phone.getByText('This session has ended.')).toBeVisible()
  await phone.getByRole('link', { name: 'Back to the team' }).click()
  await expect(phone.getByRole('heading', { name: 'Night Owls' })).toBeVisible()
})

// spec: DR-25
test('a session that does not load says so, and can be tried again', async ({
  cast,
  open,
  driveUrl,
}) => {
  const phone = await open(cast.leo, phoneOptions)
  await phone.routeWebSocket('**/live', () => {})
  await phone.route('**/api/sessions.get*', route => route.abort())
  await phone.goto(driveUrl)
  await expect(phone.getByText('This session did not load.')).toBeVisible()
  await phone.unroute('**/api/sessions.get*')
  await phone.getByRole('button', { name: 'Try again' }).tap()
  await expect(phone.getByText('No GPS')).toBeVisible()
})

/** A headless browser has no wake lock to give: this one is always granted, and counted. */
async function grantWakeLocks(phone: Page) {
  await phone.addInitScript(() => {
    let locks = 0
    let held: (EventTarget & { released: boolean }) | null = null
    const request = () => {
      // Outside of a tap, and on a page that comes back, the first needs one.
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

async function fontSizePx(phone: Page): Promise<number> {
  return wordOn(phone).evaluate(word => Number.parseFloat(getComputedStyle(word).fontSize))
}

async function dotOf(phone: Page): Promise<{ backgroundColor: string }> {
  return phone.getByText(/^(Online|Offline)$/).evaluate(line => {
    const { backgroundColor } = getComputedStyle(line, '::before')
    return { backgroundColor }
  })
}

async function boxOf(found: ReturnType<Page['locator']>) {
  const box = await found.boundingBox()
  if (!box) throw new Error('It is not seen.')
  return box
}

/** The mean time between contacts, by the server's clock. */
function secondsBetween(fixes: readonly { c: number }[]): number {
  const [first, last] = [fixes[0]!, fixes.at(-1)!]
  return (last.c - first.c) / 1000 / (fixes.length - 1)
}
