import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'

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
  await page.getByLabel('Car').selectOption('Car 17')
  await page.getByLabel('Driver').selectOption('Marta Lindqvist')
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page).toHaveURL(/\/drive$/)
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
  await page.getByRole('button', { name: /Théo Garnier/ }).click()
  await expect(page.getByText('Théo Garnier is in car 17')).toBeVisible()
  await expect(page.getByText('Stint 2 starts at the pit exit.')).toBeVisible()
  await expect(car).toContainText('Théo Garnier')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(car).toContainText('Marta Lindqvist')
  const { stints } = await ana.call.stints.ofSession({ sessionId: session!.id })
  expect(stints).toMatchObject([{ number: 1, to: null }])

  // The last choice is preselected on this device.
  await ana.call.sessions.end({ sessionId: session!.id })
  await page.goto(`/teams/${teamId}/new`)
  await expect(page.getByLabel('Car').getByRole('option', { selected: true })).toHaveText('Car 17')
})
