import { expect, type Page } from '@playwright/test'
import { waitForPaint } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'

/** Gives the page an authenticator that creates and uses passkeys without a prompt. */
async function addAuthenticator(page: Page) {
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
}

test('a sign-in with a code offers a passkey, unless declined or already there', async ({
  open,
  codeMailedTo,
}) => {
  const page = await open()
  await addAuthenticator(page)
  const signIn = async (email: string) => {
    await page.goto('/auth/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.getByLabel('One-time Code').fill(await codeMailedTo(email))
    await page.getByRole('button', { name: 'Complete' }).click()
    await expect(page.getByRole('heading', { name: 'Select a Team' })).toBeVisible()
  }
  const signOut = async () => {
    await page.getByRole('button', { name: 'Your profile' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/sign-in/)
  }
  const offer = page.getByRole('region', { name: 'Sign in without a code next time' })

  await signIn('offered@northline.example')
  await offer.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(offer).toBeHidden()
  await signOut()
  const listed = page.waitForResponse('**/api/passkeys.list')
  await signIn('offered@northline.example')
  await (await listed).finished()
  await waitForPaint(page)
  await expect(offer).toBeHidden()
  await signOut()

  await signIn('declining@northline.example')
  await offer.getByRole('button', { name: 'Not now' }).click()
  await expect(offer).toBeHidden()
})

test('a passkey added in the profile signs in, until it is removed', async ({ open, person }) => {
  const page = await open(await person('Ana'))
  await addAuthenticator(page)
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
