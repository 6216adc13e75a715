import { expect } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import { addDriver } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'
import { refuse } from '../mockApi.ts'

test('stints of an ended session are added, corrected, removed and restored', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const marta = await addDriver(ana, teamId, 'Marta Lindqvist')
  await addDriver(ana, teamId, 'Théo Garnier')
  const session = await leo.call.sessions.start({ teamId, name: 'Zolder', driverId: marta.id })
  const sessionId = session.id
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${sessionId}/laps`)
  await page.getByRole('link', { name: 'Correct driver changes' }).click()
  const list = page.getByRole('list', { name: 'Stints of the car' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Remove stint 1' })).toBeHidden()

  await page.getByRole('button', { name: 'Add stint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Driver').selectOption('Théo Garnier')
  await dialog.getByLabel('From').fill('25:00')
  await expect(dialog.getByText('Enter a time such as')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  // A time before the session is refused with a sentence, and the typed times stay.
  const before = await page.evaluate(
    at => new Date(at).toTimeString().slice(0, 8),
    session.startedAt - 60_000,
  )
  await dialog.getByLabel('From').fill(before)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The car is driven from')
  await expect(dialog.getByLabel('From')).toHaveValue(before)

  // The rest of this test needs seconds that have passed.
  await expect.poll(() => Date.now() - session.startedAt).toBeGreaterThan(4000)
  const at = (seconds: number) =>
    page.evaluate(
      time => new Date(time).toTimeString().slice(0, 8),
      session.startedAt + seconds * 1000,
    )
  await dialog.getByLabel('From').fill(await at(2))
  const restore = await refuse(page, 'stints.edit', 'not-ready')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Not saved.')
  await expect(dialog.getByLabel('From')).toHaveValue(await at(2))
  restore()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(list).toContainText('Théo Garnier')

  await leo.call.sessions.end({ sessionId })
  const stints = async () => (await ana.call.carRaces.ofSession({ sessionId })).stints
  await page.getByRole('button', { name: 'Correct stint 2' }).click()
  await expect(dialog.getByLabel('To')).toBeDisabled()
  await dialog.getByLabel('From').fill(await at(3))
  await dialog.getByLabel('Driver').selectOption('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(stints).toMatchObject([{ driverId: marta.id }, { driverId: null }])

  await page.getByRole('button', { name: 'Remove stint 2' }).click()
  await expect(page.getByText('Its time now counts for Marta Lindqvist.')).toBeVisible()
  await expect.poll(stints).toHaveLength(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect.poll(stints).toMatchObject([{ driverId: marta.id }, { driverId: null }])
})
