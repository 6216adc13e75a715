import { expect, type Page, type Route } from '@playwright/test'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { patience } from '#testing/patience.ts'
import { routeCall } from '../callRoutes.ts'
import {
  boardOf,
  captureFirst,
  fillOf,
  landscape,
  phoneOptions,
  portrait,
  setHidden,
  teamPhone,
  wordOn,
} from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { stubLiveConnection } from '../mockApi.ts'
import { samePlace } from '../samePlace.ts'

const plates = ['EASY', 'GO', 'PUSH', 'PIT', 'FUEL', 'FCY', 'SC', 'ABORT', 'CLEAR']

// spec: MS-1 MS-2 MS-7 MS-8 MS-14 CO-1
test('the header names the driver and toggles the map; nine buttons stay in order', async ({
  scene,
  open,
  messageUrl,
}) => {
  const pit = await open(scene.ana, teamPhone)
  await pit.goto(messageUrl)
  await expect(pit.getByRole('heading', { name: 'Leo Garnier Friday practice 1' })).toBeVisible()
  await expect(boardOf(pit)).toContainText('No message')
  await expect(padOf(pit).getByRole('button')).toHaveText(plates)
  const map = pit.getByRole('button', { name: 'Map' })
  const message = pit.getByRole('button', { name: 'Message' })
  await expect(message).toHaveAttribute('aria-pressed', 'true')
  await expect(pit.getByRole('region', { name: 'Map' })).toHaveCount(0)
  await pit.evaluate(() => document.fonts.ready)
  const before = await padOf(pit).boundingBox()

  await map.click()
  await expect(pit).toHaveURL(/view=map/)
  await pit.reload()
  await expect(map).toHaveAttribute('aria-pressed', 'true')
  await expect(pit.getByRole('region', { name: 'Map' })).toBeVisible()
  await expect(padOf(pit).getByRole('button')).toHaveText(plates)
  await expect.poll(() => padOf(pit).boundingBox()).toEqual(samePlace(before))

  await message.click()
  await expect(pit).not.toHaveURL(/view=/)
  await expect(pit.getByRole('region', { name: 'Map' })).toHaveCount(0)
  for (const size of [portrait, landscape, { width: 360, height: 640 }]) {
    await pit.setViewportSize(size)
    for (const plate of await padOf(pit).getByRole('button').all()) {
      await expect(plate).toBeInViewport({ ratio: 1 })
      await expect.poll(async () => (await plate.boundingBox())?.height).toBeGreaterThanOrEqual(72)
    }
  }
})

test('a press before the clock is synchronised counts from its arrival', async ({
  scene,
  open,
  session,
  messageUrl,
}) => {
  const pit = await open(scene.ana, teamPhone)
  await pit.clock.install({ time: Date.now() - 3_600_000 })
  await stubLiveConnection(pit)
  await pit.goto(messageUrl)
  const before = Date.now()
  await plateOf(pit, 'PUSH').click()
  await expect
    .poll(async () => {
      const { message } = await scene.ana.call.sessions.get({ sessionId: session.id })
      return message.pressedAt ?? 0
    })
    .toBeGreaterThanOrEqual(before)
})

// spec: MS-3 MS-6 MS-17 MS-19
test('while loading there are skeletons and disabled buttons; a failure can be retried', async ({
  scene,
  open,
  messageUrl,
}) => {
  const pit = await open(scene.ana, teamPhone)
  await stubLiveConnection(pit)
  let isReachable = false
  let respond: () => void = () => undefined
  const responded = new Promise<void>(resolve => {
    respond = resolve
  })
  await routeCall(pit, 'sessions.get', async route => {
    await responded
    await (isReachable ? route.fallback() : route.abort())
  })
  await pit.goto(messageUrl)
  await expect(pit.getByText('Loading driver')).toBeAttached()
  await expect(boardOf(pit).getByText('--')).toBeVisible()
  for (const plate of plates) await expect(plateOf(pit, plate)).toBeDisabled()

  respond()
  const failed = pit.getByRole('alert')
  await expect(failed).toContainText('This session did not load')
  isReachable = true
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(pit.getByRole('heading', { name: /Leo Garnier/ })).toBeVisible()
  for (const plate of plates) await expect(plateOf(pit, plate)).toBeEnabled()
})

// spec: MS-5 MS-9 MS-10 MS-11 MS-15 MS-20 MS-21
test('each button replaces the message, which is hollow until it was shown', async ({
  scene,
  open,
  messageUrl,
  phone,
  send,
}) => {
  const pit = await open(scene.ana, teamPhone)
  await pit.goto(messageUrl)
  // Another app covers the page on the phone, so that nothing is painted.
  await setHidden(phone, true)
  await plateOf(pit, 'FUEL').click()
  await expect(wordOn(phone)).toHaveText('Fuel')
  await expect(receiptOf(pit)).toHaveText('Fuel: On the phone, not shown')
  await expect.poll(() => fillOf(boardWord(pit, 'Fuel'))).toBe('hollow')
  await setHidden(phone, false)
  await expect(receiptOf(pit)).toHaveText(/^Fuel: Shown after \d+(\.\d)? s$/)
  await expect.poll(() => fillOf(boardWord(pit, 'Fuel'))).toBe('solid')

  for (const [index, type] of messageTypes.entries()) {
    const plate = plateOf(pit, plates[index]!)
    await plate.click()
    await expect(plate).toHaveAttribute('aria-pressed', 'true')
    await expect(boardWord(pit, type)).toBeVisible()
    await expect(wordOn(phone)).toHaveText(type)
    await expect(receiptOf(pit)).toContainText('Shown after')
  }
  await phone.getByRole('main').tap()
  await expect(receiptOf(pit)).toHaveText(/^Abort: Copied after/)

  await plateOf(pit, 'CLEAR').click()
  await expect(wordOn(phone)).toHaveCount(0)
  await expect(boardOf(pit)).toContainText('No message')

  // Another member sends a message.
  await send('Go')
  await expect(boardWord(pit, 'Go')).toBeVisible()
  await expect(plateOf(pit, 'GO')).toHaveAttribute('aria-pressed', 'true')
})

// spec: MS-20
test('the board shows a pending press, after 3 s with its age', async ({
  scene,
  open,
  messageUrl,
}) => {
  const pit = await open(scene.ana, teamPhone)
  await pit.goto(messageUrl)
  await expect(plateOf(pit, 'PIT')).toBeEnabled()
  let respond: () => void = () => undefined
  const responded = new Promise<void>(resolve => {
    respond = resolve
  })
  await pit.route('**/api/messages.set', async route => {
    await responded
    await route.continue()
  })
  const firstAge = await captureFirst(pit, /Sending\.\.\.\s*0:(\d\d)/)
  await plateOf(pit, 'PIT').click()
  await expect(receiptOf(pit)).toHaveText('Pit: Sending...')
  await expect.poll(() => fillOf(boardWord(pit, 'Pit'))).toBe('hollow')
  expect(Number(await firstAge())).toBeGreaterThanOrEqual(3)

  respond()
  await expect(receiptOf(pit)).toHaveText('Pit: Sent, not shown')
  await expect(boardOf(pit)).toContainText(/Sent, not shown\s*0:\d\d/)
})

// spec: MS-16
test('an unsent message is reported in the receipt line, and sent once when retried', async ({
  scene,
  open,
  messageUrl,
  phone,
}) => {
  const pit = await open(scene.ana, { viewport: { width: 1440, height: 900 } })
  await pit.goto(messageUrl)
  const commandIds = await dropFirstResponse(pit, () => Promise.resolve())
  const logged = pit.waitForEvent('console', entry => entry.text().startsWith('messages.set: '))
  await plateOf(pit, 'ABORT').click()
  await expect(receiptOf(pit)).toContainText('ABORT was not sent.')
  await expect(receiptOf(pit)).toContainText('The server did not respond')
  await logged

  await boardOf(pit).getByRole('button', { name: 'Try again' }).click()
  await expect(receiptOf(pit)).toContainText('Shown after')
  await expect(pit.getByText('was not sent')).toHaveCount(0)
  expect(new Set(commandIds).size).toBe(1)
  expect(commandIds).toHaveLength(2)
  await expect(phone.getByRole('main')).toHaveAttribute('data-version', '1')
})

// spec: MS-16
test('a message whose response was lost is confirmed by the live connection', async ({
  scene,
  open,
  messageUrl,
  phone,
}) => {
  const pit = await open(scene.ana, { viewport: { width: 1440, height: 900 } })
  await pit.goto(messageUrl)
  const commandIds = await dropFirstResponse(pit, route => route.fetch())
  await plateOf(pit, 'ABORT').click()
  await expect(wordOn(phone)).toHaveText('Abort')
  await expect(receiptOf(pit)).toContainText('Shown after')
  await expect(boardOf(pit).getByRole('button', { name: 'Try again' })).toHaveCount(0)
  expect(commandIds).toHaveLength(1)
})

/**
 * Drops the response to the first press, after `before` has or has not forwarded the request. Returns the
 * command ids of all presses, in order.
 */
async function dropFirstResponse(
  pit: Page,
  before: (route: Route) => Promise<unknown>,
): Promise<string[]> {
  const commandIds: string[] = []
  await pit.route('**/api/messages.set', async route => {
    commandIds.push(route.request().postDataJSON().commandId)
    if (commandIds.length > 1) return route.continue()
    await before(route)
    await route.abort()
  })
  return commandIds
}

// spec: MS-4 MS-6 MS-12 MS-22
test('after 5 s without contact the driver is offline, with the age and no speed', async ({
  scene,
  open,
  messageUrl,
  phone,
  gps,
  send,
}) => {
  const pit = await open(scene.ana, teamPhone)
  await pit.goto(messageUrl)
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  await gps({ latitude: 50.4, longitude: 5.9, speed: 50 })
  await expect(boardOf(pit).getByText('180')).toBeVisible()
  await send('SC')
  await expect(receiptOf(pit)).toContainText('Shown after')

  const firstAgeS = await captureFirst(pit, /Last contact (\d+) s ago/)
  await phone.close()
  // Offline after 5 s, checked every 2.5 s; the rest allows for a busy machine. driverOnline.spec.ts has exact times.
  expect(Number(await firstAgeS())).toBeGreaterThanOrEqual(5)
  expect(Number(await firstAgeS())).toBeLessThan(7.5 + 2.5 * patience)
  await expect(pit.getByRole('img', { name: 'Driver offline' })).toBeVisible()
  await expect(boardOf(pit).getByText('--')).toBeVisible()
  await expect(boardOf(pit).getByText('180')).toHaveCount(0)
  // A shown message stays shown.
  await expect.poll(() => fillOf(boardWord(pit, 'SC'))).toBe('solid')
  await plateOf(pit, 'EASY').click()
  await expect(receiptOf(pit)).toHaveText('Easy: Sent, not shown')
  await expect.poll(() => fillOf(boardWord(pit, 'Easy'))).toBe('hollow')

  const spare = await open(scene.leo, phoneOptions)
  await spare.goto(messageUrl.replace(/message$/, 'drive'))
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  await expect(boardOf(pit)).not.toContainText('Last contact')
  await expect(receiptOf(pit)).toContainText('Shown after')
})

// spec: MS-19
test('no message can be sent after the end of the session', async ({
  scene,
  open,
  session,
  messageUrl,
}) => {
  const pit = await open(scene.ana, teamPhone)
  await pit.goto(messageUrl)
  await expect(plateOf(pit, 'GO')).toBeEnabled()
  await scene.leo.call.sessions.end({ sessionId: session.id })
  await expect(receiptOf(pit)).toHaveText('This session has ended.')
  for (const plate of plates) await expect(plateOf(pit, plate)).toBeDisabled()
  await boardOf(pit).getByRole('link', { name: 'Back to the team' }).click()
  await expect(pit.getByRole('heading', { name: 'Night Owls' })).toBeVisible()
})

function boardWord(pit: Page, word: string) {
  return boardOf(pit).getByText(word, { exact: true })
}

function receiptOf(pit: Page) {
  return boardOf(pit).getByRole('status')
}

function padOf(pit: Page) {
  return pit.getByRole('group', { name: 'Messages' })
}

function plateOf(pit: Page, plate: string) {
  return padOf(pit).getByRole('button', { name: plate, exact: true })
}
