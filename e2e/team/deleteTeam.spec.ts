import { expect } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import { test } from '../fixtures.ts'
import { errorOn, successOn } from '../toasts.ts'

test('the owner deletes the team by typing its name, and restores it', async ({ open, person }) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const session = await leo.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/members`)
  const other = await open(ana)
  await other.goto('/teams')
  const member = await open(leo)
  await member.goto('/teams')
  const teamLink = (of: typeof page) => of.getByRole('link', { name: 'Northline Racing' })
  await expect(teamLink(member)).toBeVisible()

  const dialog = page.getByRole('dialog', { name: 'Delete Northline Racing?' })
  const confirm = dialog.getByRole('button', { name: 'Delete team' })
  await test.step('only with the name typed, and not during a session', async () => {
    await page.getByRole('button', { name: 'Delete team' }).click()
    await dialog.getByLabel("Type the team's name to confirm").fill('Northline')
    await expect(confirm).toBeDisabled()
    await dialog.getByLabel("Type the team's name to confirm").fill('northline racing ')
    await confirm.click()
    await expect(dialog.getByRole('alert')).toContainText('A session of this team is active.')
    await leo.call.sessions.end({ sessionId: session.id })
    await confirm.click()
  })

  await test.step('it disappears for every member without reloading', async () => {
    await expect(successOn(page)).toContainText('Northline Racing was deleted.')
    await expect(page).toHaveURL('/teams')
    await expect(teamLink(member)).toBeHidden()
    await expect(member.getByRole('region', { name: 'Deleted teams' })).toBeHidden()
    await expect(teamLink(page)).toBeHidden()
    await expect(other.getByRole('button', { name: 'Restore Northline Racing' })).toBeVisible()
  })

  await test.step('a restored team is back for all of them', async () => {
    await page.getByRole('button', { name: 'Restore Northline Racing' }).click()
    await expect(successOn(page).last()).toContainText('Northline Racing is back')
    await expect(page.getByRole('region', { name: 'Deleted teams' })).toBeHidden()
    await expect(teamLink(member)).toBeVisible()
    await expect(other.getByRole('region', { name: 'Deleted teams' })).toBeHidden()
    await expect(errorOn(page)).toBeHidden()
  })

  await test.step('its history names who did it', async () => {
    await teamLink(member).click()
    await member.goto(`/teams/${teamId}/members`)
    await member.getByRole('link', { name: /^History/ }).click()
    const rows = member.getByRole('list', { name: 'Team history' }).getByRole('listitem')
    await expect(rows).toContainText([
      'Ana Tester restored the team',
      'Ana Tester deleted the team',
      'Leo Tester joined',
      'Ana Tester invited Leo Tester',
      'Ana Tester created the team',
    ])
    await expect(member.getByRole('button', { name: 'Delete team' })).toBeHidden()
  })
})
