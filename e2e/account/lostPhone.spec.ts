import { expect, type Page } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import { phoneOptions, pressDrive } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'

/** Signs in with the code from the mail. */
async function signIn(page: Page, email: string, codeMailedTo: (to: string) => Promise<string>) {
  await page.goto('/')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByLabel('One-time Code').fill(await codeMailedTo(email))
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL('/teams')
}

test('a driver signs a lost phone out from another one, and drives on with that', async ({
  person,
  pit,
  open,
  codeMailedTo,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const team = await createTeam(ana, [leo], 'Night Owls')
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Night stint' })
  const lost = await open(leo, phoneOptions)
  await lost.goto(`/teams/${team.id}/${session.id}/drive`)
  await expect(lost.getByText('Online')).toBeVisible()
  const found = await open(undefined, phoneOptions)
  const signedOut = lost.getByRole('heading', { name: 'Sign in to your account' })

  await test.step('the driver signs in on another phone', async () => {
    await signIn(found, leo.email, codeMailedTo)
  })

  await test.step('signing the lost phone out ends its drive screen at once', async () => {
    await found.getByRole('button', { name: 'Your profile' }).click()
    await found.getByRole('menuitem', { name: 'Signed-in devices' }).click()
    const devices = found.getByRole('dialog', { name: 'Signed-in devices' })
    const other = devices.getByRole('listitem').filter({ hasNotText: 'This device' })
    await other.getByRole('button').click()
    await found.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await expect(signedOut).toBeVisible()
    await lost.goto(`/teams/${team.id}`)
    await expect(signedOut).toBeVisible()
    await devices.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('the other phone drives the session and receives its messages', async () => {
    await found.getByRole('link', { name: /^Night Owls/ }).click()
    await found.getByRole('link', { name: /Enter your existing Race Session/ }).click()
    await pressDrive(found)
    await expect(found.getByText('Online')).toBeVisible()
    await signIn(pit, ana.email, codeMailedTo)
    await pit.goto(`/teams/${team.id}/${session.id}/message`)
    await pit.getByRole('button', { name: 'PIT' }).click()
    await expect(found.getByRole('alert')).toHaveText('Pit')
  })
})
