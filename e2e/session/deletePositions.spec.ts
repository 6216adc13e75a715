import { expect } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { test } from '../fixtures.ts'

test('only the driver can delete positions, of a session or of all sessions', async ({
  person,
  open,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const team = await createTeam(ana, [leo])
  const { id } = await leo.call.sessions.start({ teamId: team.id, name: 'Friday practice 1' })
  const log = `/teams/${team.id}/${id}/log`
  await drive(leo, id)

  const pit = await open(ana)
  await pit.goto(log)
  await expect(pit.getByRole('heading', { name: 'Message log' })).toBeVisible()
  await expect(pit.getByLabel('Messages expire after')).toBeVisible()
  await expect(pit.getByRole('button', { name: 'Delete positions' })).toHaveCount(0)

  const car = await open(leo)
  await car.goto(log)
  await car.getByRole('button', { name: 'Delete positions' }).click()
  const dialog = car.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Keep them' }).click()
  await expect(dialog).toBeHidden()
  await car.getByRole('button', { name: 'Delete positions' }).click()
  await dialog.getByLabel('Delete the lap times too').check()
  await dialog.getByRole('button', { name: 'Delete positions' }).click()
  await expect(car.getByText('2 in total.')).toBeVisible()

  await drive(leo, id)
  await car.goto('/teams')
  await car.getByRole('button', { name: 'Your profile' }).click()
  await car.getByRole('menuitem', { name: 'Delete my positions' }).click()
  await dialog.getByRole('button', { name: 'Delete my positions' }).click()
  await expect(car.getByText('2 in total.')).toBeVisible()
  await expect(dialog).toBeHidden()
})

/** Stores two fixes taken just now. */
async function drive({ call }: Person, sessionId: string) {
  const now = Date.now()
  const fixes = [now - 1, now].map(at => ({
    at,
    latitude: 50.44,
    longitude: 5.97,
    speedKmh: 180,
    accuracyM: 4,
  }))
  expect(await call.sessions.storeFixes({ sessionId, fixes })).toMatchObject({ stored: 2 })
}
