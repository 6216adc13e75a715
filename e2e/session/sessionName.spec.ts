import { expect } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import { test } from '../fixtures.ts'

test('a corrected session name shows on open pages and in the list of all sessions', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo', 'Garnier')]
  const { id: teamId } = await createTeam(ana, [leo])
  const first = await leo.call.sessions.start({ teamId, name: 'Friday practice 1' })
  await leo.call.sessions.end({ sessionId: first.id })
  const { id: sessionId } = await leo.call.sessions.start({ teamId, name: 'Friday practise 2' })
  const [message, page] = [await open(leo), await open(ana)]
  await message.goto(`/teams/${teamId}/${sessionId}/message`)
  await expect(message.getByRole('heading')).toContainText('Friday practise 2')

  await page.goto(`/teams/${teamId}`)
  await page.getByRole('link', { name: 'All sessions' }).click()
  const list = page.getByRole('list', { name: 'All sessions' })
  await expect(list.getByRole('listitem')).toHaveText([
    /Friday practise 2.*Active · Leo Garnier/,
    /Friday practice 1.*Leo Garnier/,
  ])
  await list.getByRole('link', { name: 'Messages, Friday practise 2' }).click()
  await page.getByRole('button', { name: 'Rename session' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename session' })
  await dialog.getByLabel('Name').fill(' ')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByLabel('Name').fill('Friday practice 2')
  await dialog.getByRole('button', { name: 'Save' }).click()

  await expect(page.getByRole('link', { name: 'Friday practice 2' })).toBeVisible()
  await expect(message.getByRole('heading')).toContainText('Friday practice 2')
  await page.goBack()
  await expect(list.getByRole('listitem').first()).toContainText('Friday practice 2')
})
