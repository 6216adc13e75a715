import { expect, type Page } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { mockHeadset, openBoard, phoneOptions, waitForPaint } from './driveScreen.ts'

const here = spaFrancorchamps.startFinish

test('one tap runs all checks; the test flash is confirmed by a team screen', async ({
  scene,
  open,
  phone,
  gps,
  send,
  messageUrl,
  subscriber,
}) => {
  const pit = await open(scene.ana)
  await openBoard(pit, messageUrl)
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  await gps({ ...here, speed: 0 })
  await phone.getByRole('button', { name: 'Full screen, stay awake' }).tap()
  const panel = phone.getByRole('region', { name: 'Before you start' })
  await expect(panel.getByRole('heading')).toHaveText('Friday practice 1, Night Owls')
  await expect(checkRow(panel, 'Location')).toContainText('Within 4 m')
  await expect(checkRow(panel, 'Connection')).toContainText(/Round trip \d+ ms/)
  await expect(checkRow(panel, 'Storage')).toContainText('Stores your positions')

  await panel.getByRole('button', { name: 'Test flash' }).tap()
  await expect(phone.getByText('Test', { exact: true })).toBeVisible()
  await subscriber.next('test')
  await expect(checkRow(panel, 'Test flash')).toContainText("Shown on the team's screen")

  const sound = panel.getByRole('button', { name: 'Sound', exact: true })
  await expect(sound).toHaveAttribute('aria-pressed', 'true')
  await sound.tap()
  await expect(checkRow(panel, 'Sound')).toContainText('Off')
  await expect(sound).toHaveAttribute('aria-pressed', 'false')
  await goOffline(phone)
  await expect(checkRow(panel, 'Connection')).toContainText('No connection to the server')
  await expect(panel.getByRole('status')).toHaveText('Not ready yet')
  await phone.context().setOffline(false)
  await expect(checkRow(panel, 'Connection')).toContainText('Round trip')

  await send('Go')
  await expect(phone.getByRole('alert')).toHaveText('Go')
  await expect(panel).toHaveCount(0)
})

test('without location permission the check is red and shows what to do', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, { ...phoneOptions, permissions: [] })
  await phone.goto(driveUrl)
  await phone.getByRole('button', { name: 'Full screen, stay awake' }).tap()
  const panel = phone.getByRole('region', { name: 'Before you start' })
  await expect(checkRow(panel, 'Location')).toContainText('Allow location access for this site')
  await expect(panel.getByRole('status')).toHaveText('Not ready yet')
  await panel.getByRole('button', { name: 'Drive' }).tap()
  await expect(panel).toHaveCount(0)
})

test('the checks can be reopened while there is no message, and take the focus', async ({
  scene,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.addInitScript(() => {
    // A headless browser has no wake lock, and the button would stay.
    const lock = Object.assign(new EventTarget(), { released: false, release: async () => {} })
    Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => lock } })
  })
  await phone.goto(driveUrl)
  const screen = phone.getByRole('main')
  const panel = phone.getByRole('region', { name: 'Before you start' })
  const again = phone.getByRole('button', { name: 'Check this phone' })
  await phone.getByRole('button', { name: 'Full screen, stay awake' }).focus()
  await phone.keyboard.press('Enter')
  await expect(panel).toBeFocused()
  await panel.getByRole('button', { name: 'Drive' }).click()
  await expect(screen).toBeFocused()

  await again.click()
  await expect(panel).toBeFocused()
  await panel.getByRole('button', { name: 'Drive' }).focus()
  await send('Push')
  await expect(phone.getByRole('alert')).toHaveText('Push')
  await expect(screen).toBeFocused()
  await expect(again).toBeHidden()
  await waitForPaint(phone)
  await phone.keyboard.press('Enter')
  await expect(phone.getByText('Copy')).toBeVisible()
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
  await phone.goto(driveUrl)
  await expect(phone.getByText('Online')).toBeVisible()
  await phone.getByRole('button', { name: 'Full screen, stay awake' }).tap()
  const panel = phone.getByRole('region', { name: 'Before you start' })
  await expect(checkRow(panel, 'Connection')).toContainText('messages arrive late')
  await panel.getByRole('button', { name: 'Test flash' }).tap()
  await expect(checkRow(panel, 'Test flash')).toContainText('Flashes here')
  await expect(checkRow(panel, 'Test flash')).toContainText('No team screen showed it within 5 s')
  await expect(checkRow(panel, 'Test flash').getByLabel('Wrong')).toBeVisible()
})

test('the checks and each message play a sound; messages vibrate even without sound', async ({
  scene,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await countTonesAndVibrations(phone)
  await phone.goto(driveUrl)
  await phone.getByRole('button', { name: 'Full screen, stay awake' }).tap()
  const panel = phone.getByRole('region', { name: 'Before you start' })
  const root = phone.locator('html')
  await expect(checkRow(panel, 'Sound')).toContainText('On')
  await expect(root).toHaveAttribute('data-tones', '2')
  await panel.getByRole('button', { name: 'Drive' }).tap()
  await send('Push')
  await expect(root).toHaveAttribute('data-tones', '4')
  await expect(root).toHaveAttribute('data-shakes', '[200,100,200]')

  await send(null)
  await expect(phone.getByRole('alert')).toBeEmpty()
  await phone.getByRole('button', { name: /Full screen|Check this phone/ }).tap()
  await expect(root).toHaveAttribute('data-tones', '6')
  const sound = panel.getByRole('button', { name: 'Sound', exact: true })
  await sound.tap()
  await send('Pit')
  await expect(root).toHaveAttribute('data-shakes', '[200,100,200] [200,100,200]')
  await expect(root).toHaveAttribute('data-tones', '6')

  await send(null)
  await expect(phone.getByRole('alert')).toBeEmpty()
  await phone.getByRole('button', { name: /Full screen|Check this phone/ }).tap()
  await sound.tap()
  await expect(root).toHaveAttribute('data-tones', '8')
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
  await phone.goto(driveUrl)
  await phone.getByRole('button', { name: 'Full screen, stay awake' }).tap()
  const panel = phone.getByRole('region', { name: 'Before you start' })
  await expect(checkRow(panel, 'Headset')).toContainText('Off')
  await expect(checkRow(panel, 'Sound')).toContainText('On')
  expect(await phone.locator('html').getAttribute('data-plays')).toBeNull()

  const button = panel.getByRole('button', { name: 'Headset button' })
  await button.tap()
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  await expect(checkRow(panel, 'Headset')).toContainText('Press it once to test it.')
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
  await phone.goto(driveUrl)
  await phone.getByRole('button', { name: 'Full screen, stay awake' }).tap()
  const panel = phone.getByRole('region', { name: 'Before you start' })
  await panel.getByRole('button', { name: 'Headset button' }).tap()
  await expect(checkRow(panel, 'Headset')).toContainText('No sound')
  await expect(panel.getByRole('status')).toHaveText('Not ready yet')
  await expect
    .poll(() => errors)
    .toContain('Headset buttons do not work: NotAllowedError: Silent mode')
})

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
