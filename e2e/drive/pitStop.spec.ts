import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { noRules } from '#contract/shared/raceRules.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { routeCall } from '../callRoutes.ts'
import { test } from '../fixtures.ts'
import { messageColours } from '../messageColours.ts'
import { raceOf } from '../raceAnswers.ts'
import { boxOf } from './driveScreen.ts'

const inPits = { latitude: 50.4372, longitude: 5.9714, speed: 10 }

test('a car that drives as on the track has left the pits, and its minimum is not done', async ({
  phone,
  gps,
}) => {
  await showVisit(phone, Date.now() - 70_000)
  await gps(inPits)
  await phone.reload()
  const stop = phone.getByRole('region', { name: 'Pit stop' })
  await expect(stop).toContainText("Leave on your crew's signal")
  await expect(stop).toContainText('Minimum stop done')
  await gps({ ...inPits, speed: 19 })
  await expect(stop.getByRole('timer')).toBeVisible()
  await expect(stop).not.toContainText('Minimum stop done')
  await gps({ ...inPits, speed: 70 })
  await expect(stop).toBeHidden()
  await gps(inPits)
  await expect(phone.getByRole('region', { name: 'Laps' })).toContainText('36')
  await expect(stop).toBeHidden()
})

test('the stop takes the stage from the PIT that has called for it', async ({
  phone,
  gps,
  send,
}) => {
  await send('Pit')
  await expect(phone.getByRole('alert').getByText('Pit')).toBeVisible()
  await showVisit(phone, Date.now())
  await gps(inPits)
  await phone.reload()
  const stop = phone.getByRole('region', { name: 'Pit stop' })
  await expect(stop.getByRole('timer')).toBeVisible()
  await expect(stop.getByText('Pit', { exact: true })).toBeVisible()
  await expect(phone.getByRole('alert').getByText('Pit')).toBeHidden()
  for (const type of ['Fuel', 'Go'] as const) {
    await send(type)
    const order = phone.getByRole('alert').getByText(type)
    await expect(order).toBeVisible()
    await expect(stop).toBeHidden()
    await order.click()
    await expect(stop.getByRole('timer')).toBeVisible()
    await expect(stop.getByText(type, { exact: true })).toBeVisible()
  }
})

test('the stop takes the stage from orders that the driver has acknowledged', async ({
  phone,
  gps,
  send,
  scene,
}) => {
  const stop = await standInBox(phone, gps)
  await send('SC')
  const order = phone.getByRole('alert').getByText('SC', { exact: true })
  await expect(order).toBeVisible()
  await expect(stop).toBeHidden()
  await order.click()
  await expect(stop.getByRole('timer')).toBeVisible()
  await expect(stop.getByText('SC', { exact: true })).toBeVisible()
  const word = { id: randomUUID(), text: 'RAIN TYRES', colour: 'push' } as const
  await scene.ana.call.words.save({ teamId: scene.team.id, word })
  await send(word.text)
  await phone.getByRole('alert').getByText(word.text).click()
  const plate = stop.getByText(word.text, { exact: true })
  await expect(plate).toHaveCSS('color', messageColours.Push)
  await send('Abort')
  await phone.getByRole('alert').getByText('Abort').click()
  await expect(stop).toBeHidden()
})

test('a tap in the box copies an order that the stop has replaced unread', async ({
  phone,
  gps,
  send,
  scene,
  session,
}) => {
  const stop = await standInBox(phone, gps)
  await send('Go')
  await expect(phone.getByRole('alert').getByText('Go')).toBeVisible()
  // After 10 s it is a plate.
  await expect(stop.getByText('Go', { exact: true })).toBeVisible({ timeout: 20_000 })
  const { id: sessionId } = session
  const message = async () => (await scene.ana.call.sessions.get({ sessionId })).message
  expect(await message()).toMatchObject({ type: 'Go', copiedAt: null })
  await stop.getByRole('timer').click()
  await expect.poll(message).toMatchObject({ type: 'Go', copiedAt: expect.any(Number) })
})

test('a problem leaves the stop clock in the box', async ({ phone, gps }) => {
  await showVisit(phone, Date.now() - 20_000)
  await gps({ ...inPits, speed: 0 })
  await phone.reload()
  const stop = phone.getByRole('region', { name: 'Pit stop' })
  await expect(stop.getByRole('timer')).toBeVisible()
  await phone.keyboard.down('p')
  const problem = phone.getByRole('button', { name: /^PROBLEM/ })
  await expect(problem).toBeVisible()
  await phone.keyboard.up('p')
  await expect(stop.getByRole('timer')).toBeVisible()
  const [plate, clock] = [await boxOf(problem), await boxOf(stop)]
  expect(clock.y).toBeGreaterThanOrEqual(plate.y + plate.height)
  await problem.click()
  await expect(problem).toHaveCount(0)
})

test('a problem that a member has got ends at the pit exit', async ({
  scene,
  session: { id: sessionId },
  phone,
  gps,
}) => {
  const stop = await standInBox(phone, gps)
  const problem = phone.getByRole('button', { name: /^PROBLEM/ })
  await phone.keyboard.down('p')
  await expect(problem).toBeVisible()
  await phone.keyboard.up('p')
  const { messages, sessions } = scene.ana.call
  await expect(async () => {
    const { problem: reported } = await sessions.get({ sessionId })
    await messages.gotIt({ sessionId, answerId: reported?.id ?? '' })
  }).toPass()
  await expect(problem).toContainText('Got it by Ana')
  await gps({ ...inPits, speed: 70 })
  await expect(stop).toBeHidden()
  await expect(problem).toHaveCount(0)
})

test('PIT THIS LAP can be added again after the pit exit', async ({ phone, gps }) => {
  await phone.keyboard.down('p')
  const pit = phone.getByRole('button', { name: 'PIT THIS LAP' })
  await pit.click()
  await phone.keyboard.up('p')
  await expect(phone.getByText('I PIT THIS LAP: Sent')).toHaveCount(1)
  await expect(pit).toHaveCount(0)
  await standInBox(phone, gps)
  await gps({ ...inPits, speed: 70 })
  await expect(pit).toBeVisible()
})

test('a car that has left its box sees the limit in place of the crew', async ({ phone, gps }) => {
  const startedAt = Date.now() - 70_000
  await showVisit(phone, startedAt, startedAt + 65_000)
  await gps(inPits)
  await phone.reload()
  const stop = phone.getByRole('region', { name: 'Pit stop' })
  await expect(stop).toContainText('Pit limit 60 km/h')
  await expect(stop).toContainText('Minimum stop done')
  await expect(stop).not.toContainText("Leave on your crew's signal")
})

/** Puts the car into its box. Returns its stop on the screen. */
async function standInBox(phone: Page, gps: (reading: typeof inPits) => Promise<void>) {
  await showVisit(phone, Date.now())
  await gps(inPits)
  await phone.reload()
  const stop = phone.getByRole('region', { name: 'Pit stop' })
  await expect(stop.getByRole('timer')).toBeVisible()
  return stop
}

/** Shows a car that came into the pits at a time, in a race whose minimum stop is a minute. */
async function showVisit(phone: Page, startedAt: number, leftAt: number | null = null) {
  await routeCall(phone, 'carRaces.ofSession', route => {
    const minStop = { ms: 60_000, counts: 'lane' as const, onlyWithFuel: false }
    return route.fulfill({
      json: raceOf(route.url.searchParams.get('sessionId') ?? '', {
        race: exampleRace({
          rules: { ...noRules, minStop, pitSpeedKmh: 60 },
          startedAt: startedAt - 3_600_000,
        }),
        phone: {
          visits: [{ startedAt, endedAt: null, stoppedAt: startedAt + 9000, leftAt }],
        },
      }),
    })
  })
}
