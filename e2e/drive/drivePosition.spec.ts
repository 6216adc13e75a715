import { expect } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { test } from '../fixtures.ts'
import { boxOf, pauseClock, phoneOptions, wordOn } from './driveScreen.ts'

const here = spaFrancorchamps.startFinish

// spec: DR-12 DR-13 SP-1 SP-2 SP-3 SP-4
test('the speed is shown in km/h below the message, or No GPS if it is unreliable', async ({
  phone,
  gps,
  send,
  subscriber,
}) => {
  await send('Go')
  await expect(phone.getByText('No GPS')).toBeVisible()

  await gps({ ...here, speed: 52.2 })
  const speed = phone.getByText(/^188\s*km\/h$/)
  await expect(speed).toBeVisible()
  await expect(phone.getByText('No GPS')).toBeHidden()
  const belowPx = async () => (await boxOf(speed)).y - (await boxOf(wordOn(phone))).y
  await expect.poll(belowPx).toBeGreaterThan(0)

  const readings = [
    [{ accuracy: 301, speed: 50 }, null],
    [{ accuracy: 300, speed: 50 }, 180],
    [{ accuracy: 299, speed: 321 / 3.6 }, null],
    [{ accuracy: 298, speed: 320 / 3.6 }, 320],
    [{ accuracy: 297 }, null],
  ] as const
  for (const [reading, kmh] of readings) {
    await gps({ ...here, ...reading })
    const fix = await subscriber.next('fix', ({ ac }) => ac === reading.accuracy)
    expect(fix.v).toBe(kmh)
    const shown = kmh === null ? 'No GPS' : new RegExp(`^${kmh}\\s*km/h$`)
    await expect(phone.getByText(shown)).toBeVisible()
  }
  // The speed of a problem replaces it, unless a message has the screen.
  await send(null)
  await expect(wordOn(phone)).toHaveCount(0)
  await phone.keyboard.down('p')
  await expect(phone.getByText('Sent, no answer yet').first()).toBeVisible()
  await phone.keyboard.up('p')
  await expect(phone.getByText('No GPS')).toBeHidden()
})

// spec: DR-13 DR-23
test('without location permission the driver drives without GPS, and it is logged', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, { ...phoneOptions, permissions: [] })
  const logged = phone.waitForEvent('pageerror', error =>
    /provides no position/.test(error.message),
  )
  await phone.goto(driveUrl)
  expect((await logged).message).toContain('denied')
  await expect(phone.getByText('No GPS')).toBeVisible()
  await expect(phone.getByText('Online')).toBeVisible()
})

// spec: DR-23
test('a browser without geolocation drives without GPS', async ({ scene, open, driveUrl }) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'geolocation')
  })
  await phone.goto(driveUrl)
  await expect(phone.getByText('Online')).toBeVisible()
  await expect(phone.getByText('No GPS')).toBeVisible()
})

// spec: DR-23
test('GPS is lost after 3 s without a reading, at standstill after 60 s', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.clock.install()
  const receiver = await phone.context().newCDPSession(phone)
  const setSpeed = (speed: number) =>
    receiver.send('Emulation.setGeolocationOverride', { ...here, accuracy: 4, speed })
  const stopGps = async () => {
    const failed = phone.evaluate(
      () =>
        new Promise<void>(resolve => {
          navigator.geolocation.watchPosition(
            () => undefined,
            () => resolve(),
          )
        }),
    )
    await receiver.send('Emulation.setGeolocationOverride', {})
    await failed
  }
  const speedOn = (kmh: number) => phone.getByText(new RegExp(`^${kmh}\\s*km/h$`))
  await setSpeed(50)
  await phone.goto(driveUrl)
  await expect(speedOn(180)).toBeVisible()
  await pauseClock(phone)
  await setSpeed(60)
  await expect(speedOn(216)).toBeVisible()

  await stopGps()
  await phone.clock.runFor(2900)
  await expect(speedOn(216)).toBeVisible()
  await phone.clock.runFor(200)
  await expect(phone.getByText('No GPS')).toBeVisible()

  await setSpeed(1)
  await expect(speedOn(4)).toBeVisible()
  await stopGps()
  await phone.clock.runFor(59_000)
  await expect(speedOn(4)).toBeVisible()
  // A restarted watch may get the last position again, from the browser's cache.
  await expect(async () => {
    await phone.clock.runFor(5000)
    await expect(phone.getByText('No GPS')).toBeVisible({ timeout: 100 })
  }).toPass()
})

// spec: DR-22
test('positions are requested with high accuracy, 5 s timeout, 250 ms maximum age', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.addInitScript(() => {
    const watch = Geolocation.prototype.watchPosition
    Geolocation.prototype.watchPosition = function (onPosition, onError, options) {
      document.documentElement.dataset.asked = JSON.stringify(options)
      return watch.call(this, onPosition, onError, options)
    }
  })
  await phone.goto(driveUrl)
  await expect(phone.getByText('Online')).toBeVisible()
  const asked = async () =>
    JSON.parse((await phone.locator('html').getAttribute('data-asked')) ?? '{}')
  await expect.poll(asked).toEqual({ enableHighAccuracy: true, timeout: 5000, maximumAge: 250 })
})

// spec: DR-20
test('the phone sends a fix each second, with or without a position', async ({
  phone,
  gps,
  subscriber,
}) => {
  const withoutGps = [
    await subscriber.next('fix'),
    await subscriber.next('fix'),
    await subscriber.next('fix'),
  ]
  for (const fix of withoutGps) expect(fix).toMatchObject({ la: null, lo: null, v: null, ac: null })
  expect(secondsBetween(withoutGps)).toBeCloseTo(1, 0)

  await gps({ ...here, speed: 50 })
  const all = [await subscriber.next('fix', ({ v }) => v === 180)]
  expect(all[0]!.la).toBeCloseTo(here.latitude, 5)
  expect(all[0]!.h).toEqual(expect.any(Number))
  // The time of the browser's receiver was used.
  expect(all[0]!.ar).toBeUndefined()
  // On a busy machine a reading may be late, and then a fix has no position.
  while (all.filter(({ v }) => v === 180).length < 3) all.push(await subscriber.next('fix'))
  expect(all.length).toBeLessThanOrEqual(4)
  expect(secondsBetween(all)).toBeCloseTo(1, 0)
  await expect(phone.getByText('Online')).toBeVisible()
})

// spec: DR-20
test('an early reading is sent when due, not with the next tick', async ({
  scene,
  open,
  driveUrl,
  subscriber,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.clock.install()
  const receiver = await phone.context().newCDPSession(phone)
  const setSpeed = (speed: number) =>
    receiver.send('Emulation.setGeolocationOverride', { ...here, accuracy: 4, speed })
  await receiver.send('Emulation.setGeolocationOverride', {})
  await phone.goto(driveUrl)
  await subscriber.next('fix', ({ v }) => v === null)
  await pauseClock(phone)
  // The first reading is sent at once, and restarts the tick: from here on all times are known.
  await setSpeed(50)
  await subscriber.next('fix', ({ v }) => v === 180)
  for (const [speed, kmh] of [
    [60, 216],
    [70, 252],
  ] as const) {
    await setSpeed(speed)
    await expect(phone.getByText(String(kmh), { exact: true })).toBeVisible()
    // Less than the 1,150 ms between two ticks.
    await phone.clock.runFor(900)
    await subscriber.next('fix', ({ v }) => v === kmh)
  }
})

// spec: DR-24
test('a fix refused by the server is logged, and driving continues', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.routeWebSocket('**/live', page => {
    const server = page.connectToServer()
    let refused = false
    page.onMessage(frame => {
      const isFix = String(frame).includes('"t":"fix"')
      // The server refuses a speed above 320 km/h.
      server.send(isFix && !refused ? String(frame).replace('"v":null', '"v":999') : frame)
      refused ||= isFix
    })
  })
  const logged = phone.waitForEvent('pageerror', error => /refused a fix/.test(error.message))
  await phone.goto(driveUrl)
  expect((await logged).message).toContain('invalid-input')
  await expect(phone.getByText('Online')).toBeVisible()
})

/** Returns the mean time between contacts in seconds, by the server's clock. */
function secondsBetween(fixes: readonly { c: number }[]): number {
  const [first, last] = [fixes[0]!, fixes.at(-1)!]
  return (last.c - first.c) / 1000 / (fixes.length - 1)
}

test('errors of a receiver that fails before each reading are logged once', async ({
  phone,
  gps,
  subscriber,
}) => {
  const logged: string[] = []
  phone.on('pageerror', ({ message }) => void logged.push(message))
  // Standing: a reading stays valid for a minute, so no pause of the machine counts as a lost position.
  await gps({ ...here, accuracy: 5, speed: 0 })
  await subscriber.next('fix', ({ v }) => v === 0)
  logged.length = 0
  // The emulated receiver reports an error before each reading.
  for (const accuracy of [6, 7, 8]) {
    await gps({ ...here, accuracy, speed: 0 })
    await subscriber.next('fix', ({ ac }) => ac === accuracy)
  }
  expect(logged.length).toBeLessThanOrEqual(1)
})

test('a GPS state that changes with each reading is reported once (P1)', async ({
  phone,
  gps,
  driveUrl,
  subscriber,
}) => {
  const states: string[] = []
  phone.on('websocket', socket =>
    socket.on('framesent', ({ payload }) => {
      const frame = JSON.parse(String(payload))
      if (frame.t === 'phone') states.push(frame.phone.gps)
    }),
  )
  await phone.goto(driveUrl)
  await gps({ ...here, accuracy: 5, speed: 50 })
  await expect.poll(() => states).toContain('good')
  states.length = 0
  for (const accuracy of [301, 6, 302, 7, 303, 8]) {
    await gps({ ...here, accuracy, speed: 50 })
    await subscriber.next('fix', ({ ac }) => ac === accuracy)
  }
  expect(states).toEqual(['inaccurate'])
  await expect.poll(() => states).toEqual(['inaccurate', 'good'])
})
