import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { noRules } from '#contract/shared/raceRules.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { oneCarRace } from '#testing/people/raceScene.ts'
import { phoneOptions } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'

test('the race clock starts at the pit wall and shows the same second in the car', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const raceId = randomUUID()
  const rules = { ...noRules, maxDriverMs: 2 * 3_600_000 }
  const length = { in: 'time' as const, ms: 6 * 3_600_000 }
  await ana.call.races.save({
    teamId,
    race: { id: raceId, name: 'Zolder 6 hours', length, rules, carIds: [] },
  })
  const session = await leo.call.sessions.start({ teamId, name: 'Car 17' })
  const pit = await open(ana)
  // A laptop whose clock is three hours slow.
  await pit.clock.install({ time: Date.now() - 3 * 3_600_000 })
  await pit.goto(`/teams/${teamId}/${session.id}/message`)
  const clock = pit.getByRole('button', { name: /^Race clock/ })
  await expect(clock).toContainText('Not started')
  await clock.click()
  await pit.getByRole('button', { name: 'Race started' }).click()
  await expect(clock).toContainText(/5:59:5\d/)

  const phone = await open(leo, phoneOptions)
  await phone.goto(`/teams/${teamId}/${session.id}/drive`)
  const inCar = phone.getByText(/To go/)
  const shown = async () => {
    const texts = await Promise.all([inCar.textContent(), clock.textContent()])
    return texts.map(text => /\d+:\d\d:\d\d/.exec(text ?? '')?.[0])
  }
  await expect
    .poll(async () => {
      const [car, wall] = await shown()
      return car !== undefined && car === wall
    })
    .toBe(true)
  // Two hours in all are less than the race.
  await expect(phone.getByText('left for you')).toBeVisible()

  await clock.click()
  await pit.getByRole('button', { name: 'Pause race clock' }).click()
  await expect(clock).toContainText('Paused')
  await expect(phone.getByText(/Paused/)).toBeVisible()
  await phone.reload()
  await expect(phone.getByText(/Paused/)).toBeVisible()

  // One press does not remove the start.
  await clock.click()
  await pit.getByRole('button', { name: 'Take the start back' }).click()
  const confirm = pit.getByRole('alertdialog', { name: 'Remove the start time?' })
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await expect(pit.getByRole('button', { name: 'Resume' })).toBeVisible()
  await pit.getByRole('button', { name: 'Take the start back' }).click()
  await confirm.getByRole('button', { name: 'Remove start time' }).click()
  await expect(clock).toContainText('Not started')

  // A race that has not started is not over.
  await clock.click()
  await expect(pit.getByRole('button', { name: 'Race over' })).toHaveCount(0)
  await pit.getByRole('button', { name: 'Race started' }).click()
  await expect(clock).toContainText('To go')
  await clock.click()
  await pit.getByRole('button', { name: 'Race over' }).click()
  await pit.getByRole('alertdialog').getByRole('button', { name: 'Race over' }).click()
  await expect(clock).toContainText('Race over')
  await clock.click()
  await expect(pit.getByRole('button', { name: 'Race started' })).toHaveCount(0)
})

test('a race whose time is up is ended in sight, and the wall leads to its result', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { teamId, raceId } = await oneCarRace(ana)
  const page = await open(ana)
  await page.goto(`/teams/${teamId}`)
  const board = page.getByRole('region', { name: 'Zolder 6 hours' })
  await expect(board).toContainText('To go')
  const end = page.getByRole('button', { name: 'Race over', exact: true })
  await expect(end).toHaveCount(0)
  // Its start is corrected to more than its length ago.
  await ana.call.races.start({ raceId, at: Date.now() - 7 * 3_600_000 })
  await expect(board).toContainText('Time up')
  await end.click()
  const question = page.getByRole('alertdialog', { name: 'End the race?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(`/teams/${teamId}/wall`)
  await end.click()
  await question.getByRole('button', { name: 'Race over' }).click()
  await page.getByRole('link', { name: 'Result', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Result' })).toBeVisible()
})

test('a change of the race while the map is shown is on the board afterwards', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const raceId = randomUUID()
  const length = { in: 'time' as const, ms: 6 * 3_600_000 }
  const race = { id: raceId, name: 'Zolder 6 hours', length, rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId, race })
  const session = await ana.call.sessions.start({ teamId, name: 'Car 17' })
  // A viewer: the key for a driver change would follow the race, too.
  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' })
  const pit = await open(leo)
  await pit.goto(`/teams/${teamId}/${session.id}/message`)
  const board = pit.getByRole('region', { name: 'Current message' })
  await expect(board).toContainText('Not started')

  await pit.getByRole('button', { name: 'Map' }).click()
  await expect(board).not.toContainText('Not started')
  await ana.call.races.start({ raceId })
  await pit.getByRole('button', { name: 'Message' }).click()
  await expect(board).toContainText(/5:59:5\d/)
})

test('once the time is up, the clock can be ended and not paused', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const raceId = randomUUID()
  const length = { in: 'time' as const, ms: 60_000 }
  await ana.call.races.save({
    teamId,
    race: { id: raceId, name: 'Short', length, rules: noRules, carIds: [] },
  })
  await ana.call.races.start({ raceId, at: Date.now() - 61_000 })
  const pit = await open(ana)
  await pit.goto(`/teams/${teamId}/races/${raceId}`)
  await pit.getByRole('button', { name: 'Clock' }).click()
  const dialog = pit.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Race over' })).toHaveAttribute(
    'data-look',
    'primary',
  )
  await expect(dialog.getByRole('button', { name: 'Pause race clock' })).toHaveCount(0)
})
