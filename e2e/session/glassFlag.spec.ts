import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { Person } from '#testing/people/person.ts'
import { oneCarRace } from '#testing/people/raceScene.ts'
import { phoneOptions } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'

const field = [
  '$B,5,"Race 1"',
  '$A,"1","17",1,"","","",1',
  '$A,"2","382",2,"","","",1',
  '$G,1,"2",1,"00:02:00.000"',
  '$G,2,"1",1,"00:02:03.250"',
]
const flagLine = (flag: string) => `$F,9999,"01:00:00","14:00:00","00:04:00","${flag}"`

/** A race with a pushed source, in which Leo drives car 17 of Ana's team. */
async function raceOf(ana: Person, leo: Person) {
  const { teamId, raceId, sessionId: id } = await oneCarRace(ana, leo)
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  let number = 0
  const push = (...lines: string[]) => ana.call.timing.push({ raceId, number: ++number, lines })
  return { teamId, id, raceId, push }
}

test('the driver sees the official flag, and the team that it was shown', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { teamId, id, push } = await raceOf(ana, leo)
  const [wall, board] = [await open(ana), await open(ana)]
  const phone = await open(leo, phoneOptions)
  await wall.goto(`/teams/${teamId}/wall`)
  await phone.goto(`/teams/${teamId}/${id}/drive`)
  await expect(phone.getByText('Online')).toBeVisible()
  const flag = phone.getByLabel('Official flag')
  await push(...field, flagLine('Green '))
  await expect(wall.getByText('Green')).toBeVisible()
  await expect(flag).toHaveCount(0)

  // Off by default, until a member shows it.
  await board.goto(`/teams/${teamId}/${id}/laps`)
  await board.getByText('Race settings of car 17').click()
  await expect(board.getByText('No substitute for looking at the flags')).toBeVisible()
  const box = board.getByLabel('Official flag')
  await box.click()
  await expect(box).toBeChecked()
  await expect(flag).toBeVisible()

  await board.goto(`/teams/${teamId}/${id}/message`)
  await push(flagLine('Yellow'))
  await expect(flag).toHaveText('Yellowtiming')
  const lane = wall.getByRole('article')
  await expect(lane).toContainText(/Yellow shown \d\.\d s/)
  await expect(wall.getByText('timing, 1 of 1 car')).toBeVisible()
  await expect(wall.getByRole('log', { name: 'Events' })).toContainText(
    /Flag Yellow, shown after \d\.\d s/,
  )
  // Lines repeat the flag each second.
  await expect(async () => {
    await push(flagLine('Yellow'))
    await expect(board.getByText(/^shown \d\.\d s/)).toBeVisible({ timeout: 1000 })
  }).toPass()

  // A message keeps its place below the flag.
  await ana.call.messages.set({ sessionId: id, type: 'Pit', commandId: randomUUID() })
  const word = phone.getByRole('alert').getByText('Pit')
  await expect(word).toBeVisible()
  await expect(flag).toBeVisible()
  expect(await bottomOf(phone, '[data-glass-flag]')).toBeLessThanOrEqual(
    (await word.boundingBox())?.y ?? 0,
  )
  // A tap on the flag is one on the screen.
  await flag.tap()
  await expect(phone.getByText('Copy')).toBeVisible()

  // The source has become silent, and then returns without a flag.
  await expect(flag).toHaveText('Flag not knowntiming', { timeout: 15_000 })
  await expect(lane.getByText('Yellow')).toHaveCount(0)
  await push('$I,"14:05:00","1 May 26"', ...field)
  await push(flagLine('      '))
  await expect(flag).toHaveText('No flagtiming')
  await push(flagLine('Green '))
  await expect(flag).toHaveText('Greentiming')

  await ana.call.glass.set({ sessionId: id, parts: [] })
  await expect(flag).toHaveCount(0)
})

async function bottomOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox()
  return (box?.y ?? 0) + (box?.height ?? 0)
}

test('a flag from before the phone slept is not shown when it wakes up', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { teamId, id, push } = await raceOf(ana, leo)
  await ana.call.glass.set({ sessionId: id, parts: ['flag'] })
  const phone = await open(leo, phoneOptions)
  await phone.clock.install()
  await phone.goto(`/teams/${teamId}/${id}/drive`)
  await expect(phone.getByText('Online')).toBeVisible()
  const flag = phone.getByLabel('Official flag')
  await expect(async () => {
    await push(...field, flagLine('Green '))
    await expect(flag).toHaveText(/Green/, { timeout: 1000 })
    // Timers stand still from here on.
    await phone.clock.pauseAt(await phone.evaluate(() => Date.now() + 100))
    await expect(flag).toHaveText(/Green/, { timeout: 1000 })
  }).toPass()
  await phone.clock.setSystemTime(await phone.evaluate(() => Date.now() + 60_000))
  await phone.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(flag).toHaveText(/not known/)
})

test('a flag that was entered by hand is on the glass until it is undone', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { teamId, id, raceId } = await raceOf(ana, leo)
  await ana.call.glass.set({ sessionId: id, parts: ['flag'] })
  const [wall, phone] = [await open(ana), await open(leo, phoneOptions)]
  await wall.goto(`/teams/${teamId}/wall`)
  await phone.goto(`/teams/${teamId}/${id}/drive`)
  const flag = phone.getByLabel('Official flag')
  await expect(flag).toHaveText('Flag not knowntiming')
  const entryId = randomUUID()
  await ana.call.timing.enter({ raceId, entryId, entry: { flag: 'Code 60' } })
  await expect(flag).toHaveText(/^Code 60by.hand \d+.s$/)
  await expect(wall.getByRole('article')).toContainText(/Code 60 by hand shown \d+(\.\d)? s/)
  await expect(wall.getByText(/by.hand \d+.s, 1.of.1.car/)).toBeVisible()
  await ana.call.timing.undoEntry({ raceId, entryId })
  await expect(flag).toHaveText('Flag not knowntiming')
})
