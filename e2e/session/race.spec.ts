import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { hourMs } from '#contract/shared/durations.ts'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { addCar, addDriver } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'
import { hold } from '../mockApi.ts'

async function saveCar(member: Person, teamId: string) {
  return (await addCar(member, teamId, '17', { tankL: 95 })).id
}

const saved = (page: Page) => page.getByText(/^.*Saved for the team at \d\d:\d\d\.$/)

test('a race is prepared the day before, and started with a session that joins it', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])

  // Friday: nobody drives.
  const page = await open(ana)
  await page.goto(`/teams/${teamId}`)
  await page.getByRole('link', { name: /^Prepare a race/ }).click()
  // Without a car there is none to choose.
  await page.getByRole('link', { name: 'Cars and drivers', exact: true }).click()
  const carId = await saveCar(ana, teamId)
  for (const name of ['Ana Winter', 'Leo Sommer']) await addDriver(ana, teamId, name)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Choose cars' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'New race' })).toBeVisible()
  await expect(page.getByText('The race can start once “How long?” is answered.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start the race' })).toHaveCount(0)
  await page.getByLabel('Race', { exact: true }).fill('Zolder 6 hours')
  await expect(page.getByRole('heading', { name: 'Zolder 6 hours' })).toBeVisible()
  await expect(page.getByText('Missing: how long.')).toBeVisible()
  await page.getByRole('button', { name: '6 h', exact: true }).click()
  await expect(saved(page)).toBeVisible()
  await page.getByLabel('Circuit').selectOption('Circuit Zolder')
  await expect(page.getByText('Change')).toBeVisible()
  await page.getByLabel('Usual lap').fill('1:52')
  await page.getByLabel('Day').fill('2027-05-01')
  await page.getByLabel('Start', { exact: true }).fill('14:00')
  await expect(page.getByText('Saturday 1 May, 14:00 to 20:00.')).toBeVisible()
  await page.getByLabel('Longest stint').fill('120')
  await expect(page.getByText('5 stints, 4 stops.')).toBeVisible()
  await expect(page.getByText(/Fuel ends the stints, before the 2 h rule/)).toBeVisible()
  await expect(page.getByRole('cell', { name: 'fuel, up to 44' })).toHaveCount(4)

  // Saturday: the day was wrong, a session is active.
  const session = await leo.call.sessions.start({ teamId, name: 'Car 17', carId })
  const raceOf = async () =>
    (await ana.call.carRaces.ofSession({ sessionId: session.id })).race?.name
  expect(await raceOf()).toBeUndefined()
  await page.goto(`/teams/${teamId}`)
  const board = page.getByRole('region', { name: 'Zolder 6 hours' })
  await expect(board).toContainText('Race, Sat 1 May')
  await expect(board).toContainText('17')
  await board.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Race started' }).click()
  await expect(board).toContainText(/Race, started \d\d:\d\d/)
  await expect.poll(raceOf).toBe('Zolder 6 hours')
  await board.getByRole('link', { name: 'Plan' }).click()
  await expect(page.getByRole('heading', { name: 'History and plan' })).toBeVisible()
  await expect(page.getByText('Now: stint 1 of 5.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Phone in the car' })).toContainText('Leo')

  const phone = await (await leo.connect()).drive(session.id)
  /** Sends a message, which the phone shows. */
  const send = async (type: 'Pit' | null) => {
    await ana.call.messages.set({ sessionId: session.id, type, commandId: randomUUID() })
    const { message } = await phone.next('message')
    phone.send({ t: 'receipt', version: message.version, stage: 'shown', at: Date.now() })
  }
  await send('Pit')
  await expect(page.getByRole('cell', { name: 'order: PIT' })).toBeVisible()
  await send(null)
  await expect(page.getByRole('cell', { name: 'order: PIT' })).toBeHidden()
})

test('a car whose phone stays in an earlier race says so on the page of the race', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const carId = await saveCar(ana, teamId)
  const earlier = await createRace(ana, teamId, { hours: 1 })
  const session = await leo.call.sessions.start({ teamId, name: 'Car 17', carId })
  await ana.call.races.end({ raceId: earlier })
  const raceId = await createRace(ana, teamId, { hours: 1 })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  await expect(page.getByText('No phone of car 17 is in this race.')).toBeVisible()
  await leo.call.sessions.end({ sessionId: session.id })
  await leo.call.sessions.start({ teamId, name: 'Car 17', carId })
  await expect(page.getByText('No phone of car 17 is in this race.')).toBeHidden()
  await expect(page.getByRole('list', { name: 'Phone in the car' })).toContainText('Leo')
})

test('the start of a race that is planned for another day names the day', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const raceId = await createRace(ana, teamId, { hours: 1, isPrepared: true })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  await page.getByLabel('Day').fill('2050-12-07')
  await page.getByLabel('Start', { exact: true }).fill('920')
  await expect(page.getByText(/^Wednesday 7 December, 09:20 to 10:20\./)).toBeVisible()
  await page.getByRole('button', { name: 'Start the race' }).click()
  await expect(
    page.getByRole('dialog').getByText('This race is planned for Wed 7 December.'),
  ).toBeVisible()
})

test('a second race waits until the first one is over, and can be deleted', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const race = (name: string) => ({
    id: randomUUID(),
    name,
    length: { in: 'laps', laps: 60 } as const,
  })
  const [first, second] = [race('Zolder sprint 1'), race('Zolder sprint 2')]
  for (const each of [first, second]) await ana.call.races.save({ teamId, race: each })
  await ana.call.races.start({ raceId: first.id })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}`)
  await page.getByRole('link', { name: 'Races', exact: true }).click()
  await page.getByRole('link', { name: /^Zolder sprint 2/ }).click()
  await expect(page.getByText('Zolder sprint 1 is running. End it first.')).toBeVisible()
  const start = page.getByRole('button', { name: 'Start the race' })
  await expect(start).toHaveCount(0)
  await ana.call.races.end({ raceId: first.id })
  await expect(start).toBeEnabled()
  // The race that is over keeps its board only while no other one is prepared.
  await page.goto(`/teams/${teamId}`)
  await expect(page.getByRole('region', { name: 'Zolder sprint 2' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Zolder sprint 1' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Zolder sprint 1 is over Result' }).click()
  await expect(page.getByRole('heading', { name: 'Result' })).toBeVisible()
  await page.goto(`/teams/${teamId}/races/${second.id}`)

  await page.getByRole('button', { name: 'Delete this race' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete this race' }).click()
  await expect(page.getByRole('link', { name: /^Prepare a race/ })).toBeVisible()
  await page.goto(`/teams/${teamId}`)
  const over = page.getByRole('region', { name: 'Zolder sprint 1' })
  await over.getByRole('link', { name: 'Result and history' }).click()
  await expect(page.getByRole('heading', { name: 'Result' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'History', exact: true })).toBeVisible()
  await expect(page.getByText('Next stop')).toHaveCount(0)
  expect(await ana.call.races.list({ teamId })).toMatchObject([{ id: first.id }])
})

test('typed fields stay while others change the race, and newer values too', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const race = { id: randomUUID(), name: 'Zolder', length: { in: 'laps' as const, laps: 100 } }
  await leo.call.races.save({ teamId, race })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${race.id}`)
  const name = page.getByLabel('Race', { exact: true })
  const lap = page.getByLabel('Usual lap')
  await expect(page.getByText('Missing: the usual lap')).toBeVisible()

  // Not a lap time yet: it is not saved.
  await lap.fill('1:')
  await leo.call.races.save({ teamId, race: { id: race.id, name: 'Zolder, rain' } })
  await expect(name).toHaveValue('Zolder, rain')
  await expect(lap).toHaveValue('1:')
  await lap.fill('1:40')
  await expect(page.getByRole('region', { name: 'Stints against time' })).toBeVisible()

  // Two members name the race at the same time: the second one gets a refusal, and sees the first one's name.
  const release = await hold(page, 'races.save')
  await name.fill('Zolder, dry')
  await name.blur()
  await leo.call.races.save({ teamId, race: { id: race.id, name: 'Zolder 100 laps' } })
  await release()
  await expect(page.getByText('Somebody else has changed this since.')).toBeVisible()
  await expect(name).toHaveValue('Zolder 100 laps')
  await name.fill('Zolder, dry')
  await expect(page.getByRole('heading', { name: 'Zolder, dry' })).toBeVisible()
})

test('quick changes of one race do not conflict', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const race = { id: randomUUID(), name: 'Zolder', startsAt: Date.UTC(2027, 4, 1, 12) }
  await ana.call.races.save({ teamId, race })
  for (const number of ['7', '44']) await addCar(ana, teamId, number)
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${race.id}`)
  const release = await hold(page, 'races.save')

  // The day is being saved when the time is typed; the second length, and the second car, follow the first at once.
  const day = page.getByLabel('Day')
  await day.fill('2027-05-02')
  await day.blur()
  await page.getByLabel('Start', { exact: true }).fill('10:25')
  await page.getByRole('button', { name: '2 h', exact: true }).click()
  await page.getByRole('button', { name: '4 h', exact: true }).click()
  await page.getByRole('button', { name: 'Choose cars' }).click()
  await page.getByRole('checkbox', { name: 'Car 7' }).check()
  await page.getByRole('checkbox', { name: 'Car 44' }).check()
  await release()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('Sunday 2 May, 10:25 to 14:25.')).toBeVisible()
  await expect(page.getByText('Somebody else has changed this since.')).toHaveCount(0)
  await expect.poll(async () => (await ana.call.races.list({ teamId }))[0]?.carIds.length).toBe(2)
})

test('a rule that is typed while another one is being saved is saved next', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const raceId = await createRace(ana, teamId, { hours: 4, isPrepared: true })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  await page.getByText('More rules').click()
  const release = await hold(page, 'races.save')
  const requested = page.waitForRequest('**/api/races.save')
  await page.getByLabel('Longest stint').fill('15')
  await requested
  await page.getByLabel('Number of stops').fill('2')
  const saved = page.waitForResponse('**/api/races.save')
  await release()
  await saved
  await expect
    .poll(async () => (await ana.call.races.list({ teamId }))[0]?.rules)
    .toMatchObject({ maxStintMs: 15 * 60_000, stops: { kind: 'count', count: 2 } })
  await expect(page.getByLabel('Number of stops')).toHaveValue('2')
})

test('rules are chosen from a pack, changed, and saved and shared as a pack', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const raceId = await createRace(ana, teamId, { hours: 4, isPrepared: true })
  const rules = async () => (await ana.call.races.list({ teamId }))[0]?.rules
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  const pack = page.getByLabel('Rule pack')
  await pack.selectOption('ChampCar Endurance Series')
  await expect(page.getByLabel('Longest stint')).toHaveValue('120')
  await expect(page.getByRole('link', { name: /^Source, read on/ })).toBeVisible()
  await expect.poll(async () => (await rules())?.maxStintMs).toBe(2 * hourMs)
  await page.getByLabel('Longest stint').fill('110:30')
  await expect(page.getByRole('link', { name: /^Source, read on/ })).toHaveCount(0)
  await page.getByText('More rules').click()
  await page.getByLabel('Name of the rules').fill('Club race')
  await page.getByLabel('Name of the rules').blur()
  await expect.poll(rules).toMatchObject({ name: 'Club race', maxStintMs: 6_630_000, source: null })
  await page.getByRole('button', { name: 'Save as pack' }).click()
  await expect(pack).toHaveValue(/./)
  await expect(pack.getByRole('option', { name: 'Club race' })).toHaveCount(1)

  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await (await downloaded).path()
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('File').setInputFiles({
    name: 'other.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{}'),
  })
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByRole('alert')).toContainText('rule pack')
  await dialog.getByLabel('File').setInputFiles(file)
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog).toHaveCount(0)
  const packs = (await ana.call.rulePacks.list({ teamId })).filter(({ isOwn }) => isOwn)
  expect(packs.map(each => each.rules.maxStintMs)).toEqual([6_630_000, 6_630_000])
})
