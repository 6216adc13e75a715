import { expect } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import { test } from '../fixtures.ts'

test('a session started without lap timing shows no laps until a member turns it on', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const page = await open(leo)
  await page.goto(`/teams/${teamId}/new`)
  await page.getByLabel('Name').fill('Track day')
  await page.getByText('No car, you drive, laps timed, data link on').click()
  await page.getByLabel('No lap timing').check()
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page).toHaveURL(/\/drive\?checks$/)
  const [session] = await ana.call.sessions.listActive({ teamId })
  expect(session).toMatchObject({ name: 'Track day', lapTiming: false })

  const wall = await open(ana)
  await wall.goto(`/teams/${teamId}/${session!.id}/log`)
  await wall.getByRole('link', { name: 'Laps' }).click()
  await expect(wall.getByRole('heading', { name: 'Lap timing is off' })).toBeVisible()
  await page.goto(`/teams/${teamId}/${session!.id}/laps`)
  await expect(page.getByRole('heading', { name: 'Lap timing is off' })).toBeVisible()
  for (const each of [page, wall]) await each.getByText('Race settings').click()
  const off = page.getByLabel('No lap timing')
  await expect(off).toBeChecked()

  await wall.getByLabel('No lap timing').click()
  await expect(wall.getByRole('heading', { name: 'No laps yet' })).toBeVisible()
  // The other page learns it by the live channel.
  await expect(page.getByRole('heading', { name: 'No laps yet' })).toBeVisible()
  await expect(off).not.toBeChecked()
})
