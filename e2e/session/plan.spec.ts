import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { noRules } from '#contract/shared/raceRules.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { routeCall } from '../callRoutes.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'

test('a member enters a race and moves a stint, which others see', async ({ open, person }) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  for (const name of ['Ana Winter', 'Leo Sommer'])
    await ana.call.roster.saveDriver({ teamId, driver: { id: randomUUID(), name, userId: null } })
  const session = await leo.call.sessions.start({ teamId, name: 'Zolder' })

  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${session.id}/laps`)
  await page.getByRole('link', { name: 'Plan' }).click()
  await expect(page.getByRole('heading', { name: 'No plan yet' })).toBeVisible()
  await page.getByLabel('Race', { exact: true }).fill('Zolder 4 hours')
  await page.getByLabel('Race length').fill('4:00')
  await page.getByLabel('Longest stint').fill('70')
  await page.getByLabel('Minimum stop').fill('3:00')
  await page.getByRole('button', { name: 'Make a plan' }).click()

  const ends = page.getByRole('slider', { name: /^End of the stint/ })
  await expect(ends).toHaveCount(3)
  await ends.first().focus()
  await expect(ends.first()).toHaveAttribute('aria-valuetext', '58 min')
  for (let minute = 0; minute < 10; minute++) await page.keyboard.press('ArrowRight')
  await expect(ends.first()).toHaveAttribute('aria-valuetext', '68 min')
  await expect
    .poll(async () => (await ana.call.carRaces.ofSession({ sessionId: session.id })).plan?.stints)
    .toEqual([{ number: 1, driverId: null, lengthMs: 68 * 60_000 }])

  // By pointer as well: the thumb of the second stint, half an hour to the left.
  const second = ends.nth(1)
  const box = (await second.boundingBox())!
  const thumbPx = 24
  const perMinute = (box.width - thumbPx) / Number(await second.getAttribute('max'))
  const x = box.x + thumbPx / 2 + Number(await second.inputValue()) * perMinute
  const y = box.y + box.height / 2
  const before = Number(await second.inputValue())
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 30 * perMinute, y, { steps: 4 })
  await page.mouse.up()
  await expect(second).toHaveValue(String(before - 30))
  await expect
    .poll(async () => (await ana.call.carRaces.ofSession({ sessionId: session.id })).plan?.stints)
    .toHaveLength(2)

  // Last, because a plan that exceeds a limit takes long to lay out, after each change.
  await ends.first().focus()
  for (let minute = 0; minute < 4; minute++) await page.keyboard.press('ArrowRight')
  await expect(ends.first()).toHaveAttribute('aria-valuetext', '72 min')
  await expect(page.getByText('2 min over the limit')).toBeVisible()

  // Another member sees it, and both see what either changes.
  const other = await open(leo)
  await other.goto(`/teams/${teamId}/${session.id}/plan`)
  await expect(other.getByText('2 min over the limit')).toBeVisible()
  await page.getByRole('button', { name: 'Lay out again' }).click()
  await expect(other.getByText(/min over the limit/)).toHaveCount(0)

  await page.getByText('Order of drivers').click()
  await page.getByRole('button', { name: 'Leo Sommer drives earlier' }).click()
  await expect
    .poll(
      async () => (await ana.call.carRaces.ofSession({ sessionId: session.id })).plan?.driverIds,
    )
    .toHaveLength(2)
  await expect(other.getByRole('slider').first()).toHaveAccessibleName(/Leo Sommer/)

  // Without a network the change stays, and is sent again.
  await goOffline(page)
  await page.getByLabel('Driver of stint 2').selectOption('Ana Winter')
  await expect(page.getByText('Your change is not saved yet.')).toBeVisible()
  await expect(page.getByLabel('Driver of stint 2')).toHaveValue(/./)
  // The change survives closing the page.
  await page.goto('about:blank')
  await page.context().setOffline(false)
  await page.goto(`/teams/${teamId}/${session.id}/plan`)
  await expect(page.getByText('Your change is not saved yet.')).toBeVisible()
  await expect(page.getByLabel('Driver of stint 2')).toHaveValue(/./)
  await expect(other.getByLabel('Driver of stint 2')).toHaveValue('')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(other.getByLabel('Driver of stint 2')).toHaveValue(/./)
})

test('a failed change is shown as unsaved until it is stored or replaced', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  for (const name of ['Ana Winter', 'Leo Sommer'])
    await ana.call.roster.saveDriver({ teamId, driver: { id: randomUUID(), name, userId: null } })
  const race = (name: string) => ({
    id: randomUUID(),
    name,
    length: { in: 'time' as const, ms: 4 * 3_600_000 },
    rules: { ...noRules, maxStintMs: 70 * 60_000 },
    carIds: [],
  })
  const first = race('Zolder 4 hours')
  await ana.call.races.save({ teamId, race: first })
  const session = await ana.call.sessions.start({ teamId, name: 'Zolder' })
  const stored = async () => (await ana.call.carRaces.ofSession({ sessionId: session.id })).plan

  const page = await open(ana)
  let isFailing = true
  await routeCall(page, 'races.changePlan', route => (isFailing ? route.abort() : route.fallback()))
  await page.goto(`/teams/${teamId}/${session.id}/plan`)
  const driver = page.getByLabel('Driver of stint 2')
  const unsaved = page.getByText('Your change is not saved yet.')
  await driver.selectOption('Ana Winter')
  await expect(unsaved).toBeVisible()

  // Another change is stored: the first one is still missing.
  isFailing = false
  await page.getByLabel('Driver of stint 3').selectOption('Leo Sommer')
  await expect.poll(async () => (await stored())?.stints).toMatchObject([{ number: 3 }])
  await expect(page.getByLabel('Driver of stint 3')).toBeEnabled()
  await expect(unsaved).toBeVisible()
  await expect(driver).toHaveValue(/./)

  // A newer change of the same stint replaces it.
  await driver.selectOption('Leo Sommer')
  await expect(unsaved).toHaveCount(0)
  expect((await stored())?.stints).toMatchObject([{ number: 2 }, { number: 3 }])
  await expect(driver.getByRole('option', { selected: true })).toHaveText('Leo Sommer')

  // A failed change belongs to its race.
  isFailing = true
  await driver.selectOption('Ana Winter')
  await expect(unsaved).toBeVisible()
  await page.getByRole('button', { name: 'Leave this race' }).click()
  await page.getByRole('button', { name: 'Join this race' }).click()
  await expect(unsaved).toBeVisible()
  await expect(driver.getByRole('option', { selected: true })).toHaveText('Ana Winter')
  await ana.call.races.end({ raceId: first.id })
  await ana.call.races.save({ teamId, race: race('Spa 4 hours') })
  await expect(page.getByText(/^Spa 4 hours/)).toBeVisible()
  await expect(unsaved).toHaveCount(0)
  await expect(driver).toHaveValue('')
})

test('typed fields of a race stay while others change it, and while it is saved', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const litres = { tankL: null, reserveL: null, burnL: null }
  const car = { id: randomUUID(), number: '17', name: null, carClass: null, ...litres }
  await leo.call.roster.saveCar({ teamId, car })
  const { id: sessionId } = await ana.call.sessions.start({ teamId, name: 'Zolder' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${sessionId}/plan`)
  const name = page.getByLabel('Race', { exact: true })
  const longest = page.getByLabel('Longest stint')
  const shortest = page.getByLabel('Minimum stop')
  await name.fill('Zolder 100 laps')

  // Another member makes a race, which the session joins.
  const race = {
    id: randomUUID(),
    name: 'Zolder',
    length: { in: 'laps' as const, laps: 100 },
    rules: noRules,
    carIds: [car.id],
  }
  await leo.call.races.save({ teamId, race })
  const join = page.getByRole('button', { name: 'Join this race' })
  await expect(join).toBeVisible()
  await expect(name).toHaveValue('Zolder 100 laps')
  await join.click()
  await expect(page.getByRole('heading', { name: 'No lap time yet' })).toBeVisible()
  await expect(page.getByLabel('Race length')).toHaveValue('100')
  await expect(name).toHaveValue('Zolder 100 laps')

  // The first lap time lays out the plan.
  await longest.fill('70')
  const change = { kind: 'lap' as const, lapMs: 100_000 }
  await leo.call.races.changePlan({ raceId: race.id, carId: null, change })
  await expect(page.getByRole('region', { name: 'Stints against time' })).toBeVisible()
  await expect(longest).toHaveValue('70')
  await expect(name).toHaveValue('Zolder 100 laps')

  // Typed while the race is saved.
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await routeCall(page, 'races.changePlan', route => held.then(() => route.fallback()))
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await expect(save).toHaveAttribute('aria-busy', 'true')
  await shortest.fill('3:00')
  release()
  await expect(save).not.toHaveAttribute('aria-busy', 'true')
  await expect(shortest).toHaveValue('3:00')

  // Saved fields follow others again, the typed one stays.
  const rules = { ...noRules, maxStintMs: 70 * 60_000 }
  expect((await leo.call.carRaces.ofSession({ sessionId })).race).toMatchObject({
    name: 'Zolder 100 laps',
    rules: { maxStintMs: rules.maxStintMs },
  })
  await leo.call.races.save({ teamId, race: { ...race, rules, name: 'Zolder, rain' } })
  await expect(name).toHaveValue('Zolder, rain')
  await expect(shortest).toHaveValue('3:00')
})

test('rule packs are chosen, saved and shared, and a session leaves its race', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const session = await ana.call.sessions.start({ teamId, name: 'Zolder' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${session.id}/plan`)
  await page.getByLabel('Rule pack').selectOption('ChampCar Endurance Series')
  await expect(page.getByLabel('Longest stint')).toHaveValue('120')
  await expect(page.getByRole('link', { name: /^Source, read on/ })).toBeVisible()
  await page.getByLabel('Longest stint').fill('110:30')
  await expect(page.getByRole('link', { name: /^Source, read on/ })).toHaveCount(0)
  await page.getByLabel('Name of the rules').fill('Club race')
  await page.getByRole('button', { name: 'Save as pack' }).click()
  await expect(page.getByLabel('Rule pack')).toHaveValue(/./)
  await expect(page.getByRole('option', { name: 'Club race' })).toBeAttached()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await (await saved).path()
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
  expect(packs.map(({ rules }) => rules.maxStintMs)).toEqual([6_630_000, 6_630_000])

  await page.getByLabel('Race', { exact: true }).fill('Zolder 4 hours')
  await page.getByLabel('Race length').fill('4:00')
  await page.getByRole('button', { name: 'Make a plan' }).click()
  await page.getByRole('button', { name: 'Leave this race' }).click()
  await page.getByRole('button', { name: 'Join this race' }).click()
  await expect(page.getByRole('heading', { name: 'Next driver change' })).toBeVisible()
})
