import { expect } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { test } from '../fixtures.ts'
import { phoneOptions } from './driveScreen.ts'

// spec: RO-3
test('the phone of a removed driver stops; the owner ends the session', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana', 'Lindqvist'), await person('Leo', 'Garnier')]
  const { id: teamId } = await createTeam(ana, [leo])
  const { id: sessionId } = await leo.call.sessions.start({ teamId, name: 'Friday practice' })
  const phone = await open(leo, { ...phoneOptions, geolocation: spaFrancorchamps.startFinish })
  const pit = await open(ana)
  await phone.goto(`/teams/${teamId}/${sessionId}/drive`)
  await pit.goto(`/teams/${teamId}`)
  const row = pit.getByRole('listitem').filter({ hasText: 'Friday practice' })
  await expect
    .poll(async () => (await ana.call.sessions.get({ sessionId })).lastDriverContactAt)
    .not.toBeNull()
  await expect(row).toBeVisible()
  await expect(row.getByRole('button')).toHaveCount(0)

  await ana.call.teams.removeMember({ teamId, userId: leo.id })
  await expect(phone.getByText('You are no longer in this team.')).toBeVisible()
  const { lastDriverContactAt } = await ana.call.sessions.get({ sessionId })

  await expect(row).toContainText('no longer in this team')
  await row.getByRole('button', { name: /End/ }).click()
  await pit.getByRole('alertdialog').getByRole('button', { name: /End/ }).click()
  await expect(pit.getByText('No Active Sessions')).toBeVisible()
  const ended = await ana.call.sessions.get({ sessionId })
  expect(ended).toMatchObject({ status: 'Complete', lastDriverContactAt })
})
