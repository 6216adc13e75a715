import { expect } from '@playwright/test'
import { swapScene } from '#testing/people/raceScene.ts'
import { test } from '../fixtures.ts'
import { refuse } from '../mockApi.ts'
import { successOn } from '../toasts.ts'

test('the page of the race shows a swap of phones, which a member corrects and undoes', async ({
  open,
  person,
}) => {
  const { ana, leo, teamId, raceId, first, second, runs, putInCar } = await swapScene(person)
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${first.id}/laps/stints`)
  await page.getByRole('link', { name: 'Which phone is in the car?' }).click()
  const phones = page.getByRole('list', { name: 'Phone in the car' })
  await expect(phones).toBeInViewport()
  const rows = phones.getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(0)).toContainText('First phone · started the session')
  await expect(rows.nth(0)).toContainText('until now')
  await expect(rows.nth(1)).toContainText('Never moved, counts nowhere')

  // Some corrections need seconds that have passed.
  await expect.poll(() => Date.now() - second.startedAt).toBeGreaterThan(5000)
  await putInCar(second.id)
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(0)).toContainText("Mia's phone")
  await expect(rows.nth(0)).toContainText('Second phone · decided by Ana Tester')
  await expect(rows.nth(1)).not.toContainText('until now')

  await phones.getByRole('button', { name: /^Correct Mia's phone/ }).click()
  const dialog = page.getByRole('dialog', { name: "When did Mia's phone take over?" })
  await expect(dialog).toContainText('Your correction wins over GPS for good.')
  await expect(dialog).toContainText('Leo 0 laps, Mia 0')
  const correct = dialog.getByRole('button', { name: 'Correct', exact: true })
  await expect(correct).toBeDisabled()
  const time = dialog.getByLabel('Time')
  const shown = await time.inputValue()
  await dialog.getByRole('button', { name: 'One second earlier' }).click()
  await dialog.getByRole('button', { name: 'One second earlier' }).click()
  await expect(time).not.toHaveValue(shown)
  const earlier = await time.inputValue()
  const restore = await refuse(page, 'carRaces.correctRuns', 'too-many')
  await correct.click()
  await expect(dialog.getByRole('alert')).toContainText('Not corrected.')
  await expect(time).toHaveValue(earlier)
  restore()
  const before = await runs()
  await correct.click()
  await expect(dialog).toBeHidden()
  const boundary = async () => (await runs()).at(-1)?.from
  await expect.poll(boundary).toBe((before.at(-1)?.from ?? 0) - 2000)
  await expect(rows.nth(0)).toContainText(earlier)

  await successOn(page).getByRole('button', { name: 'Undo' }).click()
  await expect(successOn(page)).toContainText('Correction taken back')
  await expect.poll(boundary).toBe(before.at(-1)?.from)
  await expect(rows.nth(0)).toContainText(shown)

  // The phone was not in the car: the one before it still is.
  await phones.getByRole('button', { name: /^Correct Mia's phone/ }).click()
  await dialog.getByRole('button', { name: "Mia's phone was not in car 17" }).click()
  await expect(rows.nth(0)).toContainText("Leo's phone")
  await expect
    .poll(async () => (await runs()).at(-1))
    .toMatchObject({ sessionId: first.id, until: null })

  await phones.getByRole('button', { name: "Put Mia's phone in the car" }).click()
  await dialog.getByRole('button', { name: 'Put in car' }).click()
  await expect(rows.nth(0)).toContainText("Mia's phone")
  await expect
    .poll(async () => (await runs()).at(-1))
    .toMatchObject({ sessionId: second.id, until: null })

  // Another phone was in the car.
  await phones.getByRole('button', { name: /^Correct Mia's phone/ }).click()
  await dialog.getByLabel('Phone').selectOption(first.id)
  await correct.click()
  await expect(rows.nth(0)).toContainText("Leo's phone")

  // The box follows the server.
  const autoPit = page.getByLabel(/Send PIT automatically/)
  await autoPit.click()
  await expect(autoPit).toBeChecked()
  await expect
    .poll(async () => (await ana.call.carRaces.ofSession({ sessionId: second.id })).autoPit)
    .toBe(true)

  const other = await open(leo)
  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' })
  await other.goto(`/teams/${teamId}/races/${raceId}`)
  await expect(other.getByRole('list', { name: 'Phone in the car' })).toContainText("Leo's phone")
  await expect(other.getByRole('button', { name: /^Correct Leo's phone/ })).toHaveCount(0)
})
