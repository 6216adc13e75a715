import { expect, type Locator, type Route } from '@playwright/test'
import type { OfficialTiming } from '#contract/timing.ts'
import { exampleLap, exampleLaps, exampleRace } from '#testing/exampleRace.ts'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { oneCarRace } from '#testing/people/raceScene.ts'
import { startInCar } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'
import { changeResponse } from '../mockApi.ts'
import { respondWithLaps } from '../raceAnswers.ts'

test('one key each enters place, gap, flag and lap of the chosen car by hand', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { teamId, raceId, sessionId } = await oneCarRace(ana)
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article', { name: 'Car 17' })
  await expect(lane).toHaveAttribute('aria-current', 'true')
  const sheet = page.getByRole('dialog', { name: 'By hand' })
  const place = async (key: string, text: string) => {
    await page.keyboard.press(key)
    await expect(sheet).toBeVisible()
    await expect(sheet.locator('[data-first]')).toBeFocused()
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await expect(sheet).toBeHidden()
  }
  await page.getByRole('button', { name: 'Place' }).waitFor()
  await place('r', '4')
  await expect(lane).toContainText('P4')
  await expect(lane).toContainText(/by.hand \d+.s/)
  await place('b', '12,4')
  await expect(lane).toContainText('+12.4')
  await place('n', '78')
  await expect(lane).toContainText('lap 78')
  // A flag keeps what is typed.
  await page.keyboard.press('r')
  await sheet.getByRole('button', { name: 'One less' }).first().click()
  await sheet.getByRole('button', { name: 'Green' }).click()
  await expect(page.getByText('Green, by hand')).toBeVisible()
  await expect(sheet.getByLabel('Place')).toHaveValue('3')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await page.keyboard.press('w')
  await expect(sheet.getByRole('button', { name: 'Green' })).toBeFocused()
  // A letter of a message does nothing while the dialog is open.
  await page.keyboard.press('p')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(sheet).toBeHidden()
  const flag = page.getByText('Yellow', { exact: true })
  await expect(flag).toBeVisible()
  await expect(flag.locator('..')).toContainText(/by.hand \d+.s/)
  expect((await ana.call.sessions.get({ sessionId })).message.type).toBeNull()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(flag).toBeHidden()

  // The message screen and a feed that becomes current.
  await page.goto(`/teams/${teamId}/${sessionId}/message`)
  await expect(page.getByText('P4')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByText('To go')).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  const lines = [
    '$B,5,"Race 1"',
    '$A,"1","17",1,"","","",1',
    '$F,9999,"01:00:00","14:00:00","00:04:00","Green "',
    '$G,2,"1",1,"00:02:03.250"',
  ]
  await ana.call.timing.push({ raceId, number: 1, lines })
  await expect(page.getByText('P2', { exact: true })).toBeVisible()
  await expect(page.getByText(/by.hand/)).toBeHidden()
})

test('a key while the code of a dialog loads is not for the wall', async ({ open, person }) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  await createRace(ana, teamId, { hours: 1 })
  await startInCar(ana, teamId, { number: '1' })
  await startInCar(leo, teamId, { number: '2' })
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  const held: Route[] = []
  await page.route(/\/assets\/basePopups-/, route => void held.push(route))
  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article', { name: 'Car 1' })
  await expect(lane).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: 'Place' }).first().waitFor()
  await page.keyboard.press('r')
  await page.keyboard.press('2')
  await expect.poll(() => held.length).toBe(1)
  await held[0]?.continue()
  const sheet = page.getByRole('dialog', { name: 'By hand' })
  await expect(sheet).toBeVisible()
  // A dialog hides what is behind it.
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(lane).toHaveAttribute('aria-current', 'true')
})

test('entered laps that contradict the counted ones lead to the corrections', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { teamId, carId, raceId } = await oneCarRace(ana)
  const entry = { carId, position: 4, laps: 8 }
  await ana.call.timing.enter({ raceId, entryId: crypto.randomUUID(), entry })
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  // Ten laps, and an entry after the last one.
  const from = Date.now() - 1_060_000
  const lap = (_: unknown, index: number) =>
    exampleLap(index + 1, { startedAt: from + index * 100_000, timeMs: 100_000 })
  const laps = exampleLaps(Array.from({ length: 10 }, lap))
  const race = exampleRace({ id: raceId, startedAt: from })
  await respondWithLaps(page, () => laps, { race })
  await changeResponse<OfficialTiming>(page, 'timing.ofRace', timing => ({
    ...timing,
    run: timing.run && {
      ...timing.run,
      standings: timing.run.standings.map(each => ({ ...each, lapsEnteredAgoMs: 30_000 })),
    },
  }))
  await page.goto(`/teams/${teamId}/wall`)
  await page.getByRole('link', { name: 'official 8 Correct' }).click()
  await expect(page).toHaveURL(new RegExp(`/races/${raceId}\\?car=${carId}$`))
})

test('a place by hand of one car keeps the gaps, and adds nothing to other cars', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const raceId = await createRace(ana, teamId, { hours: 1 })
  const ofOne = await startInCar(ana, teamId, { number: '1' })
  const ofTwo = await startInCar(leo, teamId, { number: '2' })
  await ana.call.timing.enter({
    raceId,
    entryId: crypto.randomUUID(),
    entry: { carId: ofOne.carId, position: 4 },
  })
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  const from = Date.now() - 360_000
  const lapsOf = (id: string) => {
    const startedAt = from + (id === ofTwo.id ? 5200 : 0)
    return exampleLaps(
      [0, 1, 2].map(lap =>
        exampleLap(lap + 1, { startedAt: startedAt + lap * 100_000, timeMs: 100_000 }),
      ),
    )
  }
  const race = exampleRace({ id: raceId, startedAt: from })
  await respondWithLaps(page, lapsOf, { race })
  await page.goto(`/teams/${teamId}/wall`)
  const lane = (car: string) => page.getByRole('article', { name: `Car ${car}` })
  await expect(lane('1')).toContainText(/P4.*by.hand.*\u22125\.2 to 2/)
  await expect(lane('2')).toContainText('+5.2 to 1')
  await expect(lane('2')).not.toContainText('P4')

  await page.goto(`/teams/${teamId}/${ofTwo.id}/message`)
  const board = page.getByRole('region', { name: 'Current message' })
  await expect(board).toContainText('To go')
  await expect(board).not.toContainText('P\u2013')
  await expect(board).not.toContainText('Flag not known')
  await ana.call.timing.enter({ raceId, entryId: crypto.randomUUID(), entry: { flag: 'Green' } })
  await expect(board).toContainText('Green')
  await expect(board).not.toContainText('P\u2013')
})

test('one press makes the race clock follow race control, and undo restores it', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const raceId = await createRace(ana, teamId, { hours: 1 })
  const started = async () => (await ana.call.races.list({ teamId }))[0]?.startedAt ?? 0
  const before = await started()
  await startInCar(ana, teamId)
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  const lines = [
    '$B,5,"Race 1"',
    '$F,9999,"00:40:00","14:00:00","00:20:00","Green "',
    '$G,1,"1",1,"00:02:03.250"',
  ]
  let number = 0
  /** Sends the clock again until the button is pressed: it is shown only while the feed is current. */
  const follow = (button: Locator) =>
    expect(async () => {
      await ana.call.timing.push({ raceId, number: ++number, lines })
      await button.click({ timeout: 3000 })
    }).toPass()
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}/timing`)
  // It counts down until the next push.
  const question = page.getByRole('button', { name: /Race control's clock: 0:(40:0|39:5)/ })
  // The page reads the changed race before the answer arrives.
  await page.route(
    '**/api/timing.followClock',
    async route => {
      const response = await route.fetch()
      await expect(question).toBeHidden()
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await follow(question)
  await expect(question).toBeHidden()
  await expect(page.getByText("The race clock follows race control's.")).toBeVisible()
  const behindMs = before - (await started())
  expect(Math.abs(behindMs - 20 * 60_000)).toBeLessThan(60_000)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(started).toBe(before)

  // On the wall beside the controls of the clock.
  const wall = await open(ana, { viewport: { width: 1440, height: 900 } })
  await wall.goto(`/teams/${teamId}/wall`)
  await follow(wall.getByText('not race control'))
  await follow(wall.getByRole('button', { name: 'Follow it?' }))
  await expect.poll(started).toBeLessThan(before)
})
