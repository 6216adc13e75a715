import { expect, type Page } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import type { Person } from '#testing/people/person.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import {
  mockHeadset,
  openBoard,
  pauseClock,
  phoneOptions,
  pressDrive,
  readyOn,
  showLeave,
  waitForPaint,
} from './driveScreen.ts'

const here = spaFrancorchamps.startFinish

test('Get ready shows what to do; the test flash is confirmed by a team screen', async ({
  scene,
  open,
  driveUrl,
  send,
  messageUrl,
  subscriber,
}) => {
  const pit = await open(scene.ana)
  await openBoard(pit, messageUrl)
  const phone = await openReady(open, scene.leo, driveUrl)
  const panel = readyOn(phone)
  await expect(panel.getByRole('heading')).toContainText('Leo Garnier, Friday practice 1')
  await expect(checkRow(panel, 'Location')).toContainText('±4 m')
  await expect(checkRow(panel, 'Team')).toContainText(/\d[.,]\d s/)
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()

  await panel.getByRole('button', { name: 'Test flash' }).tap()
  await expect(phone.getByText('Test', { exact: true })).toBeVisible()
  await subscriber.next('test')
  await expect(checkRow(panel, 'Test flash')).toContainText('Shown after')
  // The first tap, whatever it is for, also keeps the screen on and allows the sound.
  await expect(checkRow(panel, 'Screen stays on')).toContainText('Yes')
  await expect(checkRow(panel, 'Sound')).toContainText('On')

  const sound = panel.getByRole('button', { name: 'Sound', exact: true })
  await expect(sound).toHaveAttribute('aria-pressed', 'true')
  await sound.tap()
  await expect(checkRow(panel, 'Sound')).toContainText('Off')
  await expect(sound).toHaveAttribute('aria-pressed', 'false')
  await goOffline(phone)
  await expect(checkRow(panel, 'Team')).toContainText('No connection')
  await expect(panel.getByRole('heading')).toContainText('1 thing to do')
  await expect(panel.getByRole('listitem').first()).toContainText('mobile data')
  await phone.context().setOffline(false)
  await expect(checkRow(panel, 'Team')).toContainText(/\d[.,]\d s/)

  await test.step('a message replaces it at once, and it does not come back', async () => {
    await send('Go')
    await expect(phone.getByRole('alert')).toHaveText('Go')
    await expect(panel).toHaveCount(0)
    await expect(phone).toHaveURL(driveUrl)
    await send(null)
    await expect(phone.getByRole('alert')).toBeEmpty()
    await expect(panel).toHaveCount(0)
  })
})

test('Start opens Get ready; after Drive no button is on the glass', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const phone = await open(ana, phoneOptions)
  await phone.goto(`/teams/${teamId}/new`)
  await phone.getByLabel('Name').fill('Friday practice 1')
  await phone.getByRole('button', { name: 'Start' }).tap()
  await pressDrive(phone)
  await expect(phone).toHaveURL(/\/drive$/)
  await expect(phone.getByRole('main').getByRole('button')).toHaveCount(0)
})

test('a driver practises both gestures once, and nothing is sent', async ({
  scene,
  open,
  driveUrl,
  session,
}) => {
  const phone = await openReady(open, scene.leo, driveUrl)
  const panel = readyOn(phone)
  await expect(panel.getByLabel('Practised')).toHaveCount(0)
  await panel.getByRole('button', { name: 'Practise' }).tap()
  const practice = phone.getByRole('region', { name: 'Practice. Nothing is sent.' })
  await practice.getByRole('button', { name: 'Skip' }).tap()
  await expect(panel.getByLabel('Practised')).toHaveCount(0)

  await panel.getByRole('button', { name: 'Practise' }).tap()
  await expect(practice.getByText('Tap anywhere: Copy')).toBeVisible()
  await practice.getByText('Test', { exact: true }).tap()
  await expect(practice.getByText('Now hold anywhere')).toBeVisible()
  await holdGlass(phone)
  await expect(practice.getByText('PROBLEM', { exact: true })).toBeVisible()
  await practice.getByRole('button', { name: 'Done' }).tap()
  await expect(panel.getByLabel('Practised')).toHaveCount(2)
  const { answer } = await scene.ana.call.sessions.get({ sessionId: session.id })
  expect(answer).toBeUndefined()

  await phone.reload()
  await expect(panel.getByLabel('Practised')).toHaveCount(2)
})

test('without location Drive says so, and the glass gives reason and remedy', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, { ...phoneOptions, permissions: [] })
  await phone.goto(`${driveUrl}?checks`)
  const panel = readyOn(phone)
  await expect(panel.getByRole('listitem').first()).toContainText('Not allowed')
  await expect(panel.getByRole('heading')).toContainText('to do')
  await panel.getByRole('button', { name: 'Drive without GPS' }).tap()
  await expect(panel).toHaveCount(0)
  await expect(phone.getByText('No GPS')).toBeVisible()
  await expect(phone.getByText(/^Location is/)).toBeVisible()
})

test('a lost position is counted on the glass, which says where to put the phone', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.clock.install()
  await phone.addInitScript(() => {
    navigator.geolocation.watchPosition = (_found, failed) => {
      setTimeout(() => failed?.({ code: 2, message: '' } as GeolocationPositionError))
      return 1
    }
  })
  await phone.goto(driveUrl)
  await expect(phone.getByText('No GPS')).toBeVisible()
  await pauseClock(phone)
  await phone.clock.runFor(42_000)
  await expect(phone.getByText(/^No satellites for 0:4\d$/)).toBeVisible()
  await expect(phone.getByText('windscreen or roof')).toBeVisible()
})

test('Get ready can be reopened from a standing car, and takes the focus', async ({
  scene,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.goto(driveUrl)
  await expect(phone.getByText('Online')).toBeVisible()
  const screen = phone.getByRole('main')
  const panel = readyOn(phone)
  await showLeave(phone)
  await phone.getByRole('button', { name: 'Checks' }).click()
  await expect(panel).toBeFocused()
  await panel.getByRole('button', { name: /^Drive/ }).click()
  await expect(screen).toBeFocused()

  await phone.goto(`${driveUrl}?checks`)
  await panel.getByRole('button', { name: /^Drive/ }).focus()
  await send('Push')
  await expect(phone.getByRole('alert')).toHaveText('Push')
  await expect(screen).toBeFocused()
  await waitForPaint(phone)
  await phone.keyboard.press('Enter')
  await expect(phone.getByText('Copy')).toBeVisible()
})

test('on a low phone the checks fade where they go on below', async ({ scene, open, driveUrl }) => {
  const phone = await open(scene.leo, { ...phoneOptions, viewport: { width: 360, height: 640 } })
  await phone.goto(`${driveUrl}?checks`)
  const last = readyOn(phone).getByRole('link', { name: 'All checks of this phone' })
  const mask = () => last.evaluate(link => getComputedStyle(link.closest('div')!).maskImage)
  await expect.poll(mask).toContain('gradient')
  await last.scrollIntoViewIfNeeded()
  await readyOn(phone).getByRole('list').hover()
  await phone.mouse.wheel(0, 1000)
  await expect.poll(mask).toBe('none')
})

test('an unconfirmed test flash and a slow connection are red', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.routeWebSocket('**/live', socket => {
    const server = socket.connectToServer()
    socket.onMessage(frame => {
      if (!String(frame).includes('"t":"test"')) server.send(frame)
    })
    // 2.5 s is too late for a message, but within the timeout of the connection.
    server.onMessage(frame => void setTimeout(() => socket.send(frame), 2500))
  })
  await phone.goto(`${driveUrl}?checks`)
  const panel = readyOn(phone)
  await panel.getByRole('button', { name: 'Test flash' }).tap()
  await expect(checkRow(panel, 'Test flash')).toContainText('Not tried')
  await expect(checkRow(panel, 'Test flash')).toContainText('Not shown in 5 s')
  await expect(checkRow(panel, 'Test flash').getByLabel('To do')).toBeVisible()
  await expect(checkRow(panel, 'Team')).toContainText('Use mobile data')
})

test('each message plays a sound, and vibrates even without sound', async ({
  scene,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await countTonesAndVibrations(phone)
  await phone.goto(`${driveUrl}?checks`)
  const panel = readyOn(phone)
  const root = phone.locator('html')
  await pressDrive(phone)
  await send('Push')
  await expect(root).toHaveAttribute('data-tones', '2')
  await expect(root).toHaveAttribute('data-shakes', '[200,100,200]')

  await send(null)
  await expect(phone.getByRole('alert')).toBeEmpty()
  await phone.goto(`${driveUrl}?checks`)
  const sound = panel.getByRole('button', { name: 'Sound', exact: true })
  await sound.tap()
  await send('Pit')
  await expect(root).toHaveAttribute('data-shakes', '[200,100,200]')
  await expect(root).not.toHaveAttribute('data-tones')

  await send(null)
  await expect(phone.getByRole('alert')).toBeEmpty()
  await phone.goto(`${driveUrl}?checks`)
  await sound.tap()
  await expect(root).toHaveAttribute('data-tones', '2')
})

test('the headset button works once enabled, and its check shows it', async ({
  scene,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.addInitScript(() => {
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      document.documentElement.dataset.plays = 'yes'
      return play.call(this)
    }
  })
  await mockHeadset(phone)
  await phone.goto(`${driveUrl}?checks`)
  const panel = readyOn(phone)
  await expect(checkRow(panel, 'Headset')).toContainText('Off')
  expect(await phone.locator('html').getAttribute('data-plays')).toBeNull()

  const button = panel.getByRole('button', { name: 'Headset button' })
  await button.tap()
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  await expect(checkRow(panel, 'Headset')).toContainText('Press it once')
  await phone.evaluate(() => dispatchEvent(new Event('media-button')))
  await expect(checkRow(panel, 'Headset')).toContainText('Works')
  await send('Push')
  await expect(phone.getByRole('alert')).toHaveText('Push')
  await waitForPaint(phone)
  await phone.evaluate(() => dispatchEvent(new Event('media-button')))
  await expect(phone.getByText('Copy')).toBeVisible()
})

test('if audio playback is refused, the headset check is red and the reason is logged', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  const errors: string[] = []
  phone.on('pageerror', error => errors.push(error.message))
  await phone.addInitScript(() => {
    HTMLMediaElement.prototype.play = () =>
      Promise.reject(new DOMException('Silent mode', 'NotAllowedError'))
  })
  await phone.goto(`${driveUrl}?checks`)
  const panel = readyOn(phone)
  await panel.getByRole('button', { name: 'Headset button' }).tap()
  await expect(checkRow(panel, 'Headset')).toContainText('Turn off silent mode')
  await expect(panel.getByRole('heading')).toContainText('to do')
  await expect
    .poll(() => errors)
    .toContain('Headset buttons do not work: NotAllowedError: Silent mode')
})

test('its buttons work while the data link is off', async ({ scene, open, driveUrl, session }) => {
  await scene.ana.call.sessions.setDataLink({ sessionId: session.id, dataLink: false })
  const phone = await openReady(open, scene.leo, driveUrl)
  const panel = readyOn(phone)
  const linkOff = 'Data link off by the rules of this series'
  await expect(panel.getByText(linkOff)).toBeVisible()
  await expect(panel.getByText('PROBLEM', { exact: true })).toHaveCount(0)
  await panel.getByRole('button', { name: 'Drive' }).tap()
  await expect(panel).toHaveCount(0)
  await expect(phone.getByText('Data link off by the rules')).toBeVisible()
})

/** Opens Get ready in a car that stands on the line. */
async function openReady(
  open: (user: Person, options: typeof phoneOptions) => Promise<Page>,
  leo: Person,
  driveUrl: string,
): Promise<Page> {
  const phone = await open(leo, phoneOptions)
  const receiver = await phone.context().newCDPSession(phone)
  await receiver.send('Emulation.setGeolocationOverride', { ...here, accuracy: 4, speed: 0 })
  await phone.addInitScript(() => {
    // A headless browser has no wake lock.
    const lock = Object.assign(new EventTarget(), { released: false, release: async () => {} })
    Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => lock } })
  })
  await phone.goto(`${driveUrl}?checks`)
  await expect(readyOn(phone)).toBeVisible()
  return phone
}

/** Rests a finger on the screen until the hold counts. */
async function holdGlass(phone: Page) {
  await phone.mouse.move(195, 422)
  await phone.mouse.down()
  await expect(phone.getByText('Keep holding')).toBeVisible()
  await expect(phone.getByText('Keep holding')).toBeHidden()
  await phone.mouse.up()
}

/** Counts oscillators and vibrations in attributes of the root element. */
async function countTonesAndVibrations(phone: Page) {
  await phone.addInitScript(() => {
    // Read each time: the root element is replaced when the page has loaded.
    const counts = () => document.documentElement.dataset
    const make = AudioContext.prototype.createOscillator
    AudioContext.prototype.createOscillator = function (this: AudioContext) {
      counts().tones = String(Number(counts().tones ?? 0) + 1)
      return make.call(this)
    }
    navigator.vibrate = pattern => {
      counts().shakes = [counts().shakes, JSON.stringify(pattern)].filter(Boolean).join(' ')
      return true
    }
  })
}

function checkRow(panel: ReturnType<Page['locator']>, name: string) {
  return panel.getByRole('listitem').filter({ has: panel.page().getByText(name, { exact: true }) })
}
