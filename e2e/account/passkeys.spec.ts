import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'

test('a passkey added in the profile signs in, until it is removed', async ({ open, person }) => {
  const page = await open(await person('Ana'))
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const profile = page.getByRole('button', { name: 'Your profile' })
  const dialog = page.getByRole('dialog', { name: 'Passkeys' })
  await page.goto('/teams')
  await profile.click()
  await page.getByRole('menuitem', { name: 'Passkeys' }).click()
  await expect(dialog).toContainText('You have no passkey yet.')
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(dialog).toContainText('Never used.')
  await dialog.getByRole('button', { name: 'Close' }).click()

  await profile.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL('/teams')

  await profile.click()
  await page.getByRole('menuitem', { name: 'Passkeys' }).click()
  await expect(dialog).toContainText('Last used')
  await dialog.getByRole('button', { name: /^Remove / }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(dialog).toContainText('You have no passkey yet.')
})
