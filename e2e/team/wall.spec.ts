import { expect, type Page } from '@playwright/test'
import type { Lap, LapTable } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { routeCall } from '../callRoutes.ts'
import { test } from '../fixtures.ts'

test('keys send to the chosen car, and a connected television shows it', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const cars = [ana, leo].map(({ call }, index) => ({ call, number: String(17 - index) }))
  for (const { call, number } of cars) {
    const id = crypto.randomUUID()
    const empty = { name: null, carClass: null, tankL: null, reserveL: null, burnL: null }
    await call.roster.saveCar({ teamId, car: { id, number, ...empty } })
    await call.sessions.start({ teamId, name: 'Six hours', carId: id })
  }

  const television = await open()
  await television.goto('/tv')
  const code = await television.locator('[data-code]').textContent()
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto('/tv/allow')
  await page.getByLabel('Code').fill(code?.replaceAll(/\D/g, '') ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Show the pit wall' }).click()
  const shown = television.getByRole('article')
  // In the order of the team's list of cars.
  await expect(shown).toHaveCount(2)
  await expect(shown.first()).toHaveAccessibleName('Car 17')
  await expect(television.getByRole('button')).toHaveCount(0)

  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article', { name: 'Car 16' })
  await lane.waitFor()
  await page.keyboard.press('2')
  await expect(lane).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Shift+P')
  await expect(lane).toContainText('PIT?')
  await expect(shown.last()).toContainText('PIT?')
  // An order cannot be asked.
  await page.keyboard.press('Shift+A')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Keyboard shortcuts')
  await page.keyboard.press('g')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(shown.last()).toContainText('PIT?')

  await page.goto(`/teams/${teamId}/televisions`)
  await page.getByRole('button', { name: 'Disconnect Garage' }).click()
  await expect(television.locator('[data-code]')).toBeVisible()
})

test('keys stay with their car when another one starts; More closes when it ends', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const empty = { name: null, carClass: null, tankL: null, reserveL: null, burnL: null }
  const carIds = [crypto.randomUUID(), crypto.randomUUID()] as const
  for (const [index, id] of carIds.entries())
    await ana.call.roster.saveCar({ teamId, car: { id, number: String(16 + index), ...empty } })
  const start = ({ call }: typeof ana, carId: string) =>
    call.sessions.start({ teamId, name: 'Six hours', carId })
  const second = await start(leo, carIds[1])

  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  // By attribute: an open dialog hides them from roles.
  const lanes = page.locator('[data-lane]')
  await expect(lanes).toHaveCount(1)
  await page.keyboard.press('Shift+M')
  const sheet = page.getByRole('dialog', { name: 'More messages' })
  await expect(sheet).toContainText('17')
  await start(ana, carIds[0])
  await expect(lanes).toHaveCount(2)
  await expect(sheet).toContainText('17')

  await leo.call.sessions.end({ sessionId: second.id })
  await expect(sheet).toBeHidden()
  await expect(lanes).toHaveCount(1)
  // They do not go to the other car by themselves.
  await expect(page.getByText('Choose a car to send to.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'CLEAR' })).toHaveCount(0)
  await page.keyboard.press('1')
  await expect(lanes).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('button', { name: 'CLEAR' })).toBeVisible()
})

test('a message sent after a problem shows its own delivery beside the problem', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const { id } = await leo.call.sessions.start({ teamId, name: 'Six hours' })
  const phone = await (await leo.connect()).drive(id)
  const answerId = crypto.randomUUID()
  phone.send({ t: 'answer', id: answerId, kind: 'Problem', version: 0, at: Date.now() })
  await phone.next('answer')
  phone.close()

  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article')
  await expect(lane).toContainText('PROBLEM')
  await page.keyboard.press('p')
  await expect(lane).toContainText('PIT')
  await expect(lane).toContainText(/Sent \d+ s ago/)
  await expect(lane).toContainText('PROBLEM')
  await expect(lane.locator('[data-state="done"]')).toHaveCount(1)
})

test('a car whose phone failed is compared by its newest session', async ({ open, person }) => {
  const [ana, leo, noor] = [await person('Ana'), await person('Leo'), await person('Noor')]
  const race = await startHundredLaps(ana, leo, noor)
  const { first: failed, next, other, startedAt } = race
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await showLaps(page, [
    [failed.id, lapsFrom(startedAt, 5000, 100_000, 100_000)],
    // It drives on in the third lap.
    [next.id, lapsFrom(startedAt + 250_000, 55_000, 100_000, 100_000)],
    [other.id, lapsFrom(startedAt, 11_300, 100_000, 100_000, 100_000, 100_000, 100_000)],
  ])
  await routeCall(page, 'stints.ofSession', async route => {
    if (route.url.searchParams.get('sessionId') !== next.id) return route.fallback()
    const response = await route.fetch()
    return route.fulfill({ json: { ...(await response.json()), earlierLaps: 2 } })
  })
  await page.goto(race.wallPath)
  await expect(page.getByRole('button', { name: /^Race clock/ })).toContainText('6 of 100')
  await expect(laneOf(page, other)).toContainText('+6.3 to 17')
  await expect(laneOf(page, other)).not.toContainText('\u2212')
  await expect(laneOf(page, next)).toContainText('\u22126.3 to 44')
  await expect(laneOf(page, failed)).toBeVisible()
  await expect(laneOf(page, failed)).not.toContainText('to 44')
  // The keys send to the phone that works.
  await expect(laneOf(page, next)).toHaveAttribute('aria-current', 'true')
})

test('a phone that waits in the pits does not replace the one that drives', async ({
  open,
  person,
}) => {
  const [ana, leo, noor] = [await person('Ana'), await person('Leo'), await person('Noor')]
  const race = await startHundredLaps(ana, leo, noor)
  const { first: driving, next: waiting, other, startedAt } = race
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  const laps = [100_000, 100_000, 100_000, 100_000, 100_000]
  await showLaps(page, [
    [driving.id, lapsFrom(startedAt, 5000, ...laps)],
    [waiting.id, lapsFrom(startedAt)],
    [other.id, lapsFrom(startedAt, 11_300, ...laps)],
  ])
  await routeCall(page, 'sessions.listActive', async route => {
    const sessions: Session[] = await (await route.fetch()).json()
    const lastDriverContactAt = Date.now()
    return route.fulfill({ json: sessions.map(each => ({ ...each, lastDriverContactAt })) })
  })
  await page.goto(race.wallPath)
  await expect(page.getByRole('button', { name: /^Race clock/ })).toContainText('6 of 100')
  await expect(laneOf(page, other)).toContainText('+6.3 to 17')
  await expect(laneOf(page, driving)).toHaveAttribute('aria-current', 'true')
  await expect(laneOf(page, waiting)).toBeVisible()
})

/** Starts a race over 100 laps with two sessions of car 17, the second one by Ana, and one of car 44. */
async function startHundredLaps(ana: Person, leo: Person, noor: Person) {
  const { id: teamId } = await createTeam(ana, [leo, noor])
  const empty = { name: null, carClass: null, tankL: null, reserveL: null, burnL: null }
  const carIds = [crypto.randomUUID(), crypto.randomUUID()] as const
  for (const [index, id] of carIds.entries())
    await ana.call.roster.saveCar({ teamId, car: { id, number: ['17', '44'][index]!, ...empty } })
  const length = { in: 'laps' as const, laps: 100 }
  const race = { id: crypto.randomUUID(), name: 'Hundred laps', length, rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId, race })
  const startedAt = Date.now() - 520_000
  await ana.call.races.start({ raceId: race.id, at: startedAt })
  const start = ({ call }: Person, carId: string) =>
    call.sessions.start({ teamId, name: 'Race', carId })
  const first = await start(leo, carIds[0])
  const next = await start(ana, carIds[0])
  const other = await start(noor, carIds[1])
  return { first, next, other, startedAt, wallPath: `/teams/${teamId}/wall` }
}

function laneOf(page: Page, { id }: { id: string }) {
  return page.locator(`[data-lane="${id}"]`)
}

/** Shows these laps of sessions instead of the stored ones. */
async function showLaps(page: Page, all: readonly (readonly [string, LapTable])[]) {
  const tables = new Map(all)
  await routeCall(page, 'laps.list', route =>
    route.fulfill({ json: tables.get(route.url.searchParams.get('sessionId') ?? '') }),
  )
}

/** Laps in order of time: the part before the first crossing, then whole ones. */
function lapsFrom(startMs: number, ...times: number[]): LapTable {
  let startedAt = startMs
  const laps = times.map((timeMs, number): Lap => {
    const kind = number === 0 ? 'out' : 'full'
    const marks = { yellow: false, yellowMessage: null, marked: false }
    const lap: Lap = { number, startedAt, timeMs, plusMinusMs: 200, kind, isSeen: true, ...marks }
    startedAt += timeMs
    return lap
  })
  return { lapTiming: true, circuit: null, gpsPoor: false, laps, pending: false }
}
