import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { unzipSync } from 'fflate'
import { createTeam } from '#testing/people/createTeam.ts'
import { test } from '../fixtures.ts'
import { successOn } from '../toasts.ts'

test('an account is exported, then deleted by typing its address', async ({
  open,
  person,
  server,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo', 'Garnier')]
  const { id: teamId } = await createTeam(ana, [leo])
  const session = await leo.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const wall = await open(ana)
  await wall.goto(`/teams/${teamId}/sessions`)
  const row = wall.getByRole('listitem').filter({ hasText: 'Friday practice 1' })
  await expect(row).toContainText('Leo Garnier')
  const page = await open(leo)
  await page.goto('/teams')
  const profile = page.getByRole('button', { name: 'Your profile' })

  await test.step('the export is a zip with the sessions', async () => {
    await profile.click()
    await page.getByRole('menuitem', { name: 'Export my data' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export your data' })
    const download = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Download' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('pitboard.zip')
    const files = unzipSync(new Uint8Array(await readFile(await file.path())))
    expect(Object.keys(files)).toContain(`sessions/${session.id}/positions.json`)
    await dialog.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('the deletion needs the typed address', async () => {
    await profile.click()
    await page.getByRole('menuitem', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    const confirm = dialog.getByRole('button', { name: 'Delete account' })
    await dialog.getByRole('textbox').fill('leo@northline')
    await expect(confirm).toBeDisabled()
    await dialog.getByRole('textbox').fill(leo.email)
    await confirm.click()
    await expect(successOn(page)).toContainText('Account deleted')
    await expect(page).toHaveURL(/\/auth\/sign-in/)
    await server.mails.nextTitled(leo.email, 'Your Pitboard account was deleted')
  })

  await test.step('the team keeps the session, without the name', async () => {
    await expect(row).toContainText('Deleted user')
    await expect(wall.getByText('Leo Garnier')).toBeHidden()
  })
})
