import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'
import { addCar, addDriver, driverChange } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'
import { recordCalls, respondWith } from '../mockApi.ts'
import { inPits } from '../raceAnswers.ts'

test('a team enters its car and drivers, and changes the driver in two taps', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/cars`)
  await page.getByRole('button', { name: 'Add car' }).click()
  await page.getByLabel('Number').fill('17')
  await page.getByLabel('Litres a lap').fill('1,87')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Not in a session')).toBeVisible()
  for (const name of ['Marta Lindqvist', 'Théo Garnier']) {
    await page.getByRole('button', { name: 'Add driver' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('list', { name: 'Drivers' })).toContainText(name)
  }
  const { cars } = await ana.call.roster.get({ teamId })
  expect(cars).toMatchObject([{ number: '17', burnL: 1.87, tankL: null }])

  await page.goto(`/teams/${teamId}/new`)
  await page.getByLabel('Name').fill('Zolder 6 hours')
  // The only car of the team is preselected.
  await page.getByText('Car 17, you drive, laps timed, data link on').click()
  await page.getByLabel('Car').selectOption('Car 17')
  await page.getByLabel('Driver').selectOption('Marta Lindqvist')
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page).toHaveURL(/\/drive\?checks$/)
  const [session] = await ana.call.sessions.listActive({ teamId })
  expect(session).toMatchObject({
    car: { number: '17' },
    currentDriver: { name: 'Marta Lindqvist' },
    driver: { id: ana.id },
  })

  await page.goto(`/teams/${teamId}/cars`)
  const car = page.getByRole('list', { name: 'Cars' })
  await expect(car).toContainText('Marta Lindqvist')
  await page.getByRole('button', { name: 'Change driver of Car 17' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Théo Garnier/ })
    .click()
  await expect(page.getByText('Théo Garnier is in car 17')).toBeVisible()
  await expect(page.getByText('Stint 2 starts at the pit exit.')).toBeVisible()
  await expect(car).toContainText('Théo Garnier')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(car).toContainText('Marta Lindqvist')
  await expect
    .poll(async () => (await ana.call.carRaces.ofSession({ sessionId: session!.id })).stints)
    .toMatchObject([{ number: 1, to: null }])

  // The last car on this device is preselected, with the driver who was last in it.
  const { drivers } = await ana.call.roster.get({ teamId })
  await driverChange(ana, session!.id, drivers[1]!.id).send()
  await ana.call.sessions.end({ sessionId: session!.id })
  await page.goto(`/teams/${teamId}/new`)
  await page.getByText('Car 17, Théo Garnier, laps timed, data link on').click()
  await expect(page.getByLabel('Car').getByRole('option', { selected: true })).toHaveText('Car 17')
})

/** A team with one car, which Marta drives with the phone of Ana. Max has no driver of his own. */
async function drivenCar(person: (name: string) => Promise<Person>) {
  const [ana, max] = [await person('Ana'), await person('Max')]
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  await addMember(ana, teamId, max)
  const car = await addCar(ana, teamId, '17')
  const driver = await addDriver(ana, teamId, 'Marta Lindqvist')
  const drive = () =>
    ana.call.sessions.start({ teamId, name: 'Night', carId: car.id, driverId: driver.id })
  return { ana, max, teamId, drive }
}

test('a spare phone keeps the driver in the car, unless another one is chosen', async ({
  open,
  person,
}) => {
  const { max, teamId, drive } = await drivenCar(person)
  await drive()
  const page = await open(max)
  const started = recordCalls(page, 'sessions.start')
  await page.goto(`/teams/${teamId}/new`)
  await page.getByLabel('Name').fill('Spare phone')
  await page.getByText('Car 17, same driver, laps timed, data link on').click()
  const choice = page.getByLabel('Driver')
  const chosen = choice.getByRole('option', { selected: true })
  await expect(chosen).toHaveText('The driver in the car')
  await choice.selectOption('You')
  await expect(page.getByText('Car 17, you drive, laps timed')).toBeVisible()
  await choice.selectOption('Marta Lindqvist')
  await expect(chosen).toHaveText('Marta Lindqvist')
  await choice.selectOption('The driver in the car')
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page).toHaveURL(/\/drive\?checks$/)
  const [request] = started
  expect(request?.postDataJSON()).toMatchObject({ driverId: null, keepsDriver: true })
})

test('the driver chosen last on a phone is chosen again, also after it was a spare one', async ({
  open,
  person,
}) => {
  const { ana, max, teamId, drive } = await drivenCar(person)
  const driver = await addDriver(ana, teamId, 'Max Keller')
  const page = await open(max)
  const started = recordCalls(page, 'sessions.start')
  const start = async (shown: string, chosen: string) => {
    await page.goto(`/teams/${teamId}/new`)
    await page.getByLabel('Name').fill('Stint')
    await page.getByText(shown).click()
    await page.getByLabel('Driver').selectOption(chosen)
    await page.getByRole('button', { name: 'Start' }).click()
    await expect(page).toHaveURL(/\/drive\?checks$/)
    const own = (await max.call.sessions.listActive({ teamId })).find(it => it.driver.id === max.id)
    await max.call.sessions.end({ sessionId: own!.id })
  }
  await start('Car 17, you drive', 'Max Keller')
  await drive()
  await start('Car 17, Max Keller', 'The driver in the car')
  await start('Car 17, Max Keller', 'Max Keller')
  expect(started.map(request => request.postDataJSON())).toMatchObject([
    { driverId: driver.id, keepsDriver: false },
    { driverId: null, keepsDriver: true },
    { driverId: driver.id, keepsDriver: false },
  ])
})

test('removing a car or a driver asks first', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  await addCar(ana, teamId, '17')
  await addDriver(ana, teamId, 'Marta Lindqvist')
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/cars`)
  const sent = recordCalls(page, 'roster.removeCar')
  for (const [name, empty] of [
    ['Car 17', 'No cars yet'],
    ['Marta Lindqvist', 'No drivers yet'],
  ] as const) {
    const ask = async () => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      return page.getByRole('alertdialog', { name: `Remove ${name}?` })
    }
    const kept = await ask()
    await expect(kept).toContainText('deleted')
    await kept.getByRole('button', { name: 'Keep' }).click()
    await expect(kept).toBeHidden()
    await expect(page.getByText(empty)).toBeHidden()
    const removed = await ask()
    await removed.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText(empty)).toBeVisible()
  }
  expect(sent).toHaveLength(1)
})

test('changing the name of a driver by keyboard keeps the link to a former member', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  await addMember(ana, teamId, leo)
  const driver = { id: randomUUID(), name: 'Leo', userId: leo.id }
  await ana.call.roster.saveDriver({ teamId, driver })
  await leo.call.teams.leave({ teamId })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/cars`)
  await page.getByRole('button', { name: 'Actions for Leo' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  const linked = dialog.getByRole('combobox').getByRole('option', { selected: true })
  await expect(linked).toHaveText('Somebody who has left the team')
  await dialog.getByLabel('Name').fill('Leo L.')
  for (let focused = 0; focused < 2; focused++) await page.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('list', { name: 'Drivers' })).toContainText('Leo L.')
  const { drivers } = await ana.call.roster.get({ teamId })
  expect(drivers).toMatchObject([{ ...driver, name: 'Leo L.' }])
})

test('the message screen changes the driver, and proposes a change at a pit stop', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const session = await ana.call.sessions.start({ teamId, name: 'Zolder' })
  const page = await open(ana)
  const messageUrl = `/teams/${teamId}/${session.id}/message`
  await page.goto(messageUrl)
  await expect(page.getByRole('button', { name: 'PIT', exact: true })).toBeVisible()
  // Without drivers, no driver change is shown.
  const key = page.getByRole('button', { name: 'Change driver' })
  await expect(key).toBeHidden()
  await addDriver(ana, teamId, 'Marta Lindqvist')
  const theo = await addDriver(ana, teamId, 'Théo Garnier')
  await key.click()
  // The list moves while drivers are added to it.
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: /Marta Lindqvist/ }).click()
  await expect(page.getByText('Marta Lindqvist is in the car')).toBeVisible()
  await expect(page.getByRole('heading', { name: /Marta Lindqvist/ })).toBeVisible()
  await page.goto(`/teams/${teamId}`)
  await expect(page.getByText('Marta Lindqvist')).toBeVisible()

  const race = await ana.call.carRaces.ofSession({ sessionId: session.id })
  const visit = { startedAt: Date.now() + 1000, endedAt: null, stoppedAt: null, leftAt: null }
  await respondWith(page, 'carRaces.ofSession', inPits(race, visit))
  const sent = recordCalls(page, 'stints.add')
  await page.goto(messageUrl)
  const proposal = page.getByRole('region', { name: 'Driver change?' })
  await proposal.getByRole('button', { name: /Choose driver/ }).click()
  await page.getByRole('button', { name: /Théo Garnier/ }).click()
  await expect(page.getByText('Théo Garnier is in the car')).toBeVisible()
  expect(sent[0]?.postDataJSON()).toMatchObject({ driverId: theo.id })

  await page.goto(`/teams/${teamId}/wall`)
  await expect(proposal.getByRole('button', { name: /Choose driver/ })).toBeVisible()
})
