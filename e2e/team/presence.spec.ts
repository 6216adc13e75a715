import { expect } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import { test } from '../fixtures.ts'

// spec: AU-5
test('the pit wall shows who has a page open, by their newest name', async ({ open, person }) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const session = await ana.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}`)
  const wall = page.getByRole('region', { name: 'At the pit wall' })
  await expect(wall).toContainText('Nobody else has this team open.')

  const other = await open(leo)
  await other.goto(`/teams/${teamId}/${session.id}/message`)
  await expect(wall.getByRole('listitem')).toContainText(['Leo Garnier'])
  await page.getByRole('link', { name: /^Friday practice 1/ }).click()
  const watchers = page.getByRole('banner').getByText('Also watching:')
  await expect(page.getByRole('banner')).toContainText('Also watching:Leo')
  await expect(other.getByRole('banner')).toContainText('Also watching:Ana')

  await leo.call.users.rename({ firstName: 'Leon', lastName: 'Garnier' })
  await expect(page.getByRole('banner')).toContainText('Also watching:Leon')
  // A name of the driver.
  await ana.call.users.rename({ firstName: 'Anna', lastName: 'Lindqvist' })
  await expect(other.getByRole('heading', { level: 1 })).toContainText('Anna Lindqvist')

  await other.close()
  await expect(watchers).toBeHidden()
  await page.getByRole('link', { name: 'Back to the team' }).click()
  await expect(wall).toContainText('Nobody else has this team open.')
})
