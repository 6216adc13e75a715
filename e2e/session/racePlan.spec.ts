import { expect, type Page } from '@playwright/test'
import { noRules } from '#contract/shared/raceRules.ts'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { addCar, addDriver } from '#testing/people/roster.ts'
import { routeCall } from '../callRoutes.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'

async function saveDrivers(
  member: Person,
  teamId: string,
  names: readonly string[] = ['Ana Winter', 'Leo Sommer'],
) {
  for (const name of names) await addDriver(member, teamId, name)
}

const sliders = (page: Page) => page.getByRole('slider', { name: /^End of the stint/ })

test('a member moves a stint and changes drivers, which others see', async ({ open, person }) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  await saveDrivers(ana, teamId)
  const minStop = { ms: 180_000, counts: 'lane' as const, onlyWithFuel: false }
  const rules = { ...noRules, maxStintMs: 70 * 60_000, minStop }
  const raceId = await createRace(ana, teamId, { hours: 4, isPrepared: true, rules })
  const stored = () => ana.call.races.plan({ raceId })
  const path = `/teams/${teamId}/races/${raceId}`
  const page = await open(ana)
  await page.goto(path)

  const ends = sliders(page)
  await expect(ends).toHaveCount(3)
  await ends.first().focus()
  await expect(ends.first()).toHaveAttribute('aria-valuetext', '58 min')
  for (let minute = 0; minute < 10; minute++) await page.keyboard.press('ArrowRight')
  await expect(ends.first()).toHaveAttribute('aria-valuetext', '68 min')
  await expect
    .poll(async () => (await stored()).stints)
    .toEqual([{ number: 1, driverId: null, lengthMs: 68 * 60_000 }])

  // By pointer as well: the thumb of the second stint, half an hour to the left.
  const second = ends.nth(1)
  const box = (await second.boundingBox())!
  const thumbPx = 24
  const minutes =
    Number(await second.getAttribute('max')) - Number(await second.getAttribute('min'))
  const perMinute = (box.width - thumbPx) / minutes
  const before = Number(await second.inputValue())
  const inRow = before - Number(await second.getAttribute('min'))
  const x = box.x + thumbPx / 2 + inRow * perMinute
  const y = box.y + box.height / 2
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 30 * perMinute, y, { steps: 4 })
  await page.mouse.up()
  await expect(second).toHaveValue(String(before - 30))
  await expect.poll(async () => (await stored()).stints).toHaveLength(2)

  // Last, because a plan that exceeds a limit takes long to lay out, after each change.
  await ends.first().focus()
  for (let minute = 0; minute < 4; minute++) await page.keyboard.press('ArrowRight')
  await expect(ends.first()).toHaveAttribute('aria-valuetext', '72 min')
  await expect(page.getByText('2 min over the limit')).toBeVisible()

  // Another member sees it, and both see what either changes.
  const other = await open(leo)
  await other.goto(path)
  await expect(other.getByText('2 min over the limit')).toBeVisible()
  await page.getByRole('button', { name: 'Lay out again' }).click()
  await expect(other.getByText(/min over the limit/)).toHaveCount(0)

  // Without a network the change stays, and is sent again.
  await goOffline(page)
  await page.getByLabel('Driver of stint 2').selectOption('Ana Winter')
  await expect(page.getByText('Your change is not saved yet.')).toBeVisible()
  await expect(page.getByLabel('Driver of stint 2')).toHaveValue(/./)
  // The change survives closing the page.
  await page.goto('about:blank')
  await page.context().setOffline(false)
  await page.goto(path)
  await expect(page.getByText('Your change is not saved yet.')).toBeVisible()
  await expect(page.getByLabel('Driver of stint 2')).toHaveValue(/./)
  await expect(other.getByLabel('Driver of stint 2')).toHaveValue('')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(other.getByLabel('Driver of stint 2')).toHaveValue(/./)
})

test('each handle stands at the end of its stint, also between whole minutes', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const rules = { ...noRules, stops: { kind: 'count' as const, count: 2 } }
  const raceId = await createRace(ana, teamId, { hours: 0.175, isPrepared: true, rules })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  await expect(sliders(page)).toHaveCount(2)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    const offPx = await sliders(page).evaluateAll(all =>
      all.map(slider => {
        const { left, width: widthPx } = slider.getBoundingClientRect()
        const [min, max, value] = ['min', 'max', 'value'].map(name =>
          Number(slider.getAttribute(name)),
        ) as [number, number, number]
        const bar = slider.previousElementSibling?.getBoundingClientRect()
        const thumbAt = left + 12 + ((value - min) / (max - min)) * (widthPx - 24)
        return Math.abs(thumbAt - (bar?.right ?? 0))
      }),
    )
    // The bar ends 3 px before its time.
    for (const px of offPx) expect(px).toBeLessThan(4)
  }
})

test('drivers who are removed in quick succession all stay out', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const carId = (await addCar(ana, teamId, '17')).id
  await saveDrivers(ana, teamId, ['Ana Winter', 'Leo Sommer', 'Kai Holm', 'Ruth Maas'])
  const raceId = await createRace(ana, teamId, { hours: 4, isPrepared: true })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  await page.getByRole('button', { name: 'Edit the drivers of car 17' }).click()
  const boxes = page.getByRole('dialog').getByRole('checkbox')
  await expect(boxes).toHaveCount(4)
  // React renders between the presses, and no timer runs.
  await boxes.evaluateAll(async inputs => {
    for (const input of inputs.slice(0, 3)) {
      if (input instanceof HTMLInputElement) input.click()
      await Promise.resolve()
    }
  })
  const chosen = async () => (await ana.call.races.plan({ raceId, carId })).driverIds
  await expect.poll(async () => (await chosen()).length).toBe(1)
  await expect(page.getByRole('dialog').getByRole('checkbox', { checked: true })).toHaveCount(1)
})

test('all drivers are unticked at once, and one in two cars is named', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const carId = (await addCar(ana, teamId, '17')).id
  await addCar(ana, teamId, '44')
  await saveDrivers(ana, teamId, ['Ana Winter', 'Leo Sommer', 'Kai Holm', 'Ruth Maas'])
  const raceId = await createRace(ana, teamId, { hours: 4, isPrepared: true })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  const choose = async (car: string, names: string[]) => {
    await page.getByRole('button', { name: `Edit the drivers of car ${car}` }).click()
    const dialog = page.getByRole('dialog', { name: `Drivers of car ${car}` })
    await dialog.getByRole('button', { name: 'None', exact: true }).click()
    await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(0)
    for (const name of names) await dialog.getByLabel(name, { exact: true }).click()
    await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(names.length)
    await dialog.getByRole('button', { name: 'Done' }).click()
  }
  const shared = page.getByText('Leo Sommer is chosen for cars 17 and 44.')
  await choose('17', ['Leo Sommer', 'Kai Holm'])
  await expect(shared).toHaveCount(0)
  await choose('44', ['Leo Sommer', 'Ruth Maas'])
  await expect(shared).toBeVisible()
  const chosen = async () => (await ana.call.races.plan({ raceId, carId })).driverIds.length
  await expect.poll(chosen).toBe(2)
})

test('each car has its drivers in their order, and its plan', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const [car17, car44] = [
    (await addCar(ana, teamId, '17')).id,
    (await addCar(ana, teamId, '44')).id,
  ]
  await saveDrivers(ana, teamId)
  const raceId = await createRace(ana, teamId, { hours: 4, isPrepared: true })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  const hint = page.getByText('Each car has all drivers.')
  await expect(hint).toBeVisible()
  await expect(page.getByText(/in the plan of car 44 too/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Edit the drivers of car 44' }).click()
  const dialog = page.getByRole('dialog', { name: 'Drivers of car 44' })
  await dialog.getByRole('button', { name: 'Leo Sommer drives earlier' }).click()
  await dialog.getByLabel('Leo Sommer', { exact: true }).press('ArrowDown')
  await dialog.getByLabel('Leo Sommer', { exact: true }).press('ArrowUp')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(hint).toHaveCount(0)
  const first = page.getByRole('row').nth(1)
  await expect(first).toContainText('SOM')
  await page.getByRole('button', { name: 'Car 17', exact: true }).click()
  await expect(first).toContainText('WIN')
  const order = async (carId: string) => (await ana.call.races.plan({ raceId, carId })).driverIds
  expect(await order(car17)).toEqual([])
  expect(await order(car44)).toHaveLength(2)

  await page.getByRole('button', { name: 'Choose cars' }).click()
  const cars = page.getByRole('dialog', { name: 'Cars in this race' })
  await cars.getByLabel('Car 44').click()
  await expect(cars.getByLabel('Car 44')).toBeChecked()
  await cars.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'Edit the drivers of car 17' })).toHaveCount(0)
  await expect.poll(async () => (await ana.call.races.list({ teamId }))[0]?.carIds).toEqual([car44])
})

test('a failed change is shown as unsaved until it is stored or replaced', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  await saveDrivers(ana, teamId)
  const rules = { ...noRules, maxStintMs: 70 * 60_000 }
  const raceId = await createRace(ana, teamId, { hours: 4, isPrepared: true, rules })
  const stored = () => ana.call.races.plan({ raceId })

  const page = await open(ana)
  let isFailing = true
  await routeCall(page, 'races.changePlan', route => (isFailing ? route.abort() : route.fallback()))
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  const driver = page.getByLabel('Driver of stint 2')
  const unsaved = page.getByText('Your change is not saved yet.')
  await driver.selectOption('Ana Winter')
  await expect(unsaved).toBeVisible()

  // Another change is stored: the first one is still missing.
  isFailing = false
  await page.getByLabel('Driver of stint 3').selectOption('Leo Sommer')
  await expect.poll(async () => (await stored()).stints).toMatchObject([{ number: 3 }])
  await expect(unsaved).toBeVisible()
  await expect(driver).toHaveValue(/./)

  // A newer change of the same stint replaces it.
  await driver.selectOption('Leo Sommer')
  await expect(unsaved).toHaveCount(0)
  expect((await stored()).stints).toMatchObject([{ number: 2 }, { number: 3 }])
  await expect(driver.getByRole('option', { selected: true })).toHaveText('Leo Sommer')
})
