import { expect, type Page } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { Lap, LapTable } from '#contract/laps.ts'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { addCar, startInCar } from '#testing/people/roster.ts'
import { routeCall } from '../callRoutes.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { changeResponse, recordCalls } from '../mockApi.ts'
import { samePlace } from '../samePlace.ts'
import { errorOn } from '../toasts.ts'

test('keys send to the chosen car, and a connected television shows it', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  await startInCar(ana, teamId, { number: '17' })
  await startInCar(leo, teamId, { number: '16' })

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
  await page.keyboard.press('Shift+S')
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
  await addCar(ana, teamId, '16')
  const second = await startInCar(leo, teamId, { number: '17' })

  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  const listed = recordCalls(page, 'sessions.listActive')
  await page.goto(`/teams/${teamId}/wall`)
  // By attribute: an open dialog hides them from roles.
  const lanes = page.locator('[data-lane]')
  await expect(lanes).toHaveCount(1)
  // The digit follows the list of cars, not the sessions: it is the same on each wall and after a reload.
  await expect(lanes.locator('kbd').first()).toHaveText('2')
  await page.keyboard.press('Shift+M')
  const sheet = page.getByRole('dialog', { name: 'More messages' })
  await expect(sheet).toContainText('17')
  await startInCar(ana, teamId, { number: '16' })
  await expect(lanes).toHaveCount(2)
  // By its event, not by another request.
  expect(listed).toHaveLength(1)
  await expect(sheet).toContainText('17')

  await leo.call.sessions.end({ sessionId: second.id })
  await expect(sheet).toBeHidden()
  await expect(lanes).toHaveCount(1)
  // They do not go to the other car by themselves.
  await expect(page.getByText('Choose a car.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'CLEAR' })).toBeDisabled()
  await page.keyboard.press('2')
  await expect(page.getByText('No car is 2')).toBeVisible()
  await page.keyboard.press('1')
  await expect(lanes).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('button', { name: 'CLEAR' })).toBeEnabled()
})

test('no key goes to another car than the one that was meant, and ABORT needs two', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const sessions = [
    await startInCar(ana, teamId, { number: '7' }),
    await startInCar(leo, teamId, { number: '12' }),
  ]
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  const [seven, twelve] = ['Car 7', 'Car 12'].map(name => page.getByRole('article', { name }))
  if (!seven || !twelve) throw new Error('No lanes')
  await expect(twelve).toBeVisible()
  await page.keyboard.press('7')
  await expect(seven).toHaveAttribute('aria-current', 'true')
  const typesOf = () =>
    Promise.all(
      sessions.map(async ({ id }) => (await ana.call.sessions.get({ sessionId: id })).message.type),
    )

  // A dialog that is closing swallows nothing.
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('1')
  await page.keyboard.press('p')
  await expect(twelve).toContainText('PIT')
  await expect.poll(typesOf).toEqual([null, 'Pit'])

  // After a digit that an open dialog swallowed, or that no car has, letters wait for another choice.
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('7')
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await expect(page.getByText('Choose the car again.')).toBeVisible()
  await page.getByRole('button', { name: 'PUSH', exact: true }).click()
  await expect.poll(typesOf).toEqual([null, 'Push'])
  await page.keyboard.press('1')
  await page.keyboard.press('9')
  await expect(page.getByText('No car is 9')).toBeVisible()
  await expect(page.getByText('Car 7 is 7. Car 12 is 1.')).toBeVisible()
  await expect(twelve).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('g')
  await expect(page.getByText('Choose the car again.')).toBeVisible()
  await page.getByRole('button', { name: 'PIT', exact: true }).click()
  await expect.poll(typesOf).toEqual([null, 'Pit'])
  // All cars need no chosen one.
  await page.keyboard.press('0')
  await page.keyboard.press('e')
  await expect.poll(typesOf).toEqual(['Easy', 'Easy'])
  await page.keyboard.press('0')
  await page.keyboard.press('c')
  await expect.poll(typesOf).toEqual([null, null])

  await page.keyboard.press('7')
  await page.keyboard.press('a')
  await expect(page.getByRole('button', { name: 'A again' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('a')
  await expect(page.getByRole('button', { name: 'A again' })).toBeVisible()
  await page.keyboard.press('a')
  await expect.poll(typesOf).toEqual([null, 'Abort'])

  // A clicked key, or one that has the focus, sends nothing to the car that is chosen next.
  await page.getByRole('button', { name: 'CLEAR' }).click()
  await expect.poll(typesOf).toEqual([null, null])
  await page.keyboard.press('7')
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'GO', exact: true }).focus()
  await page.keyboard.press('1')
  await page.keyboard.press('Space')
  await page.keyboard.press('u')
  await expect.poll(typesOf).toEqual([null, 'Push'])
  await page.keyboard.press('a')
  await page.keyboard.press('a')
  await expect.poll(typesOf).toEqual([null, 'Abort'])

  // All cars get an order, and only such that all can get.
  await page.keyboard.press('0')
  await expect(page.getByRole('button', { name: 'PIT', exact: true })).toBeDisabled()
  await page.keyboard.press('p')
  await expect(page.getByText('PIT is for one car. Choose it first.')).toBeVisible()
  await page.keyboard.press('Shift+E')
  await expect(page.getByText('A question is for one car. Choose it first.')).toBeVisible()
  await page.keyboard.press('0')
  await page.keyboard.press('0')
  await page.keyboard.press('y')
  await expect.poll(typesOf).toEqual(['FCY', 'FCY'])
  await expect(page.getByRole('button', { name: 'PIT', exact: true })).toBeEnabled()
  await expect(twelve).toHaveAttribute('aria-current', 'true')
  await expect(seven).not.toHaveAttribute('aria-current', 'true')

  // A car whose data link is off is named.
  await ana.call.sessions.setDataLink({ sessionId: sessions[0]?.id ?? '', dataLink: false })
  await expect.poll(typesOf).toEqual([null, 'FCY'])
  await page.keyboard.press('0')
  await page.keyboard.press('s')
  await expect(page.getByText('Not sent to car 7')).toBeVisible()
  await expect.poll(typesOf).toEqual([null, 'SC'])
  await expect(seven).toContainText('Data link off')
  await seven.getByRole('button', { name: 'Switch on' }).click()
  const hold = page.getByRole('button', { name: 'Hold to switch on' })
  await hold.focus()
  await page.keyboard.down('Space')
  await expect(hold).toBeHidden()
  await page.keyboard.up('Space')
  await expect(seven).toContainText('CLEAR')
  await expect(seven).not.toContainText('Data link off')
})

test('a message sent after a problem shows its own delivery beside the problem', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const { id } = await leo.call.sessions.start({ teamId, name: 'Six hours' })
  const phone = await (await leo.connect()).keepAlive().drive(id)
  const answerId = crypto.randomUUID()
  phone.send({ t: 'answer', id: answerId, kind: 'Problem', version: 0, at: Date.now() })
  await phone.next('answer')
  phone.close()

  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article')
  await expect(lane).toContainText('PROBLEM')
  await page.keyboard.press('p')
  await expect(lane).toContainText(/PIT\s*Sent/)
  await page.keyboard.press('k')
  await expect(lane).toContainText(/Sent, not shown/)
  await expect(lane).toContainText(/PROBLEM · Ana has it/)
  await expect(lane.locator('[data-state="done"]')).toHaveCount(1)
})

test('the map shows another car while the first one has no position', async ({ open, person }) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  await ana.call.sessions.start({ teamId, name: 'Six hours' })
  const { id } = await leo.call.sessions.start({ teamId, name: 'Six hours' })
  const phone = await (await leo.connect()).keepAlive().drive(id)
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByText(/^The map appears/)).toBeVisible()
  const { latitude: la, longitude: lo } = spaFrancorchamps.outline[0]!
  phone.send({ t: 'fix', at: Date.now(), la, lo, v: 120, ac: 5 })
  await expect(page.getByRole('img', { name: /^Circuit de Spa.* with 2 cars$/ })).toBeVisible()
  await expect(page.locator('[data-car]:not([data-elsewhere])')).toHaveCount(1)
})

test('a wall without a network says so in its place, and calls no car offline', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const { id } = await ana.call.sessions.start({ teamId, name: 'Six hours' })
  const phone = await (await ana.connect()).keepAlive().drive(id)
  phone.send({ t: 'fix', at: Date.now(), la: null, lo: null, v: null, ac: null })
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article')
  await expect(lane).toContainText('Online')
  const keys = page.getByRole('button', { name: 'PIT' })
  const before = await keys.boundingBox()

  await goOffline(page)
  await expect(page.getByText(/^This wall is offline/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'PIT', exact: true })).toBeDisabled()
  for (const key of ['p', 'd', 'Shift+M']) {
    await page.keyboard.press(key)
    await expect(errorOn(page)).toContainText('This wall is offline')
    await errorOn(page).getByRole('button').click()
    await expect(errorOn(page)).toBeHidden()
  }
  // Longer than a silent car takes to be called offline.
  await expect(lane).toContainText(/Last data 0:(0[89]|1\d) ago/, { timeout: 20_000 })
  await expect(page.getByRole('log')).not.toContainText('Offline')
  expect(await keys.boundingBox()).toEqual(samePlace(before))

  await page.context().setOffline(false)
  await expect(page.getByText(/^This wall is offline/)).toBeHidden()
  await expect(page.getByRole('button', { name: 'PIT', exact: true })).toBeEnabled()
})

test('cars are compared by the laps of all their phones', async ({ open, person }) => {
  const [ana, leo, noor] = [await person('Ana'), await person('Leo'), await person('Noor')]
  const { first, next, other, startedAt, wallPath } = await startHundredLaps(ana, leo, noor)
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  const takeoverAt = startedAt + 250_000
  await showLaps(page, [
    {
      id: first.id,
      from: startedAt,
      until: takeoverAt,
      laps: lapsFrom(startedAt, 5000, 100_000, 100_000),
    },
    // It drives on in the third lap.
    {
      id: next.id,
      from: takeoverAt,
      until: null,
      laps: lapsFrom(takeoverAt, 55_000, 100_000, 100_000),
    },
    {
      id: other.id,
      from: startedAt,
      until: null,
      laps: withYellowEnd(lapsFrom(startedAt, 11_300, 100_000, 100_000, 100_000, 100_000, 100_000)),
    },
  ])
  await page.goto(wallPath)
  const clock = page.getByRole('button', { name: /^Race clock/ })
  await expect(clock).toContainText('6 of 100')
  // Enter, pressed again by mistake, opens nothing.
  await clock.click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  const lanes = page.getByRole('article')
  await expect(lanes).toHaveCount(2)
  await expect(laneOf(page, other)).toContainText('+6.3 to 17')
  await expect(laneOf(page, other)).not.toContainText('\u2212')
  await expect(laneOf(page, first)).toContainText('\u22126.3 to 44')
  await expect(laneOf(page, first)).toContainText('Lap6')
  // A yellow lap is not compared.
  await expect(laneOf(page, other)).toContainText('Last, yellow')
  await expect(laneOf(page, first)).not.toContainText('yellow')
})

/** Starts a race over 100 laps with two sessions of car 17, the second one by Ana, and one of car 44. */
async function startHundredLaps(ana: Person, leo: Person, noor: Person) {
  const { id: teamId } = await createTeam(ana, [leo, noor])
  const length = { in: 'laps' as const, laps: 100 }
  const race = { id: crypto.randomUUID(), name: 'Hundred laps', length, rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId, race })
  const startedAt = Date.now() - 520_000
  await ana.call.races.start({ raceId: race.id, at: startedAt })
  const first = await startInCar(leo, teamId)
  const next = await startInCar(ana, teamId)
  const other = await startInCar(noor, teamId, { number: '44' })
  return { first, next, other, startedAt, wallPath: `/teams/${teamId}/wall` }
}

function laneOf(page: Page, { id }: { id: string }) {
  return page.locator(`[data-lane="${id}"]`)
}

/** A phone that was in its car from one time until another one. */
interface Driven {
  readonly id: string
  readonly from: number
  readonly until: number | null
  readonly laps: LapTable
}

/** Shows these laps, and these runs of the phones of each car, instead of the stored ones. */
async function showLaps(page: Page, driven: readonly Driven[]) {
  await routeCall(page, 'laps.list', route => {
    const id = route.url.searchParams.get('sessionId')
    return route.fulfill({ json: driven.find(each => each.id === id)?.laps })
  })
  await changeResponse<StoredCarRace>(page, 'carRaces.ofSession', race => ({
    ...race,
    phones: race.phones.map(phone => ({
      ...phone,
      laps: driven.find(({ id }) => id === phone.sessionId)?.laps.laps ?? [],
    })),
    runs: driven
      .filter(({ id }) => race.phones.some(({ sessionId }) => sessionId === id))
      .map(({ id, from, until }) => ({ sessionId: id, from, until, decidedBy: 'moved' })),
  }))
}

function withYellowEnd(table: LapTable): LapTable {
  const last = table.laps.length - 1
  return {
    ...table,
    laps: table.laps.map((lap, index) => ({ ...lap, yellow: index === last })),
  }
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
