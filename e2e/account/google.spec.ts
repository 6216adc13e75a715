import { expect, type Page } from '@playwright/test'
import type { BuiltServer } from '#testing/builtServer.ts'
import { patience } from '#testing/patience.ts'
import { openIdProvider } from '#testing/people/openIdProvider.ts'
import { startQuickServer } from '#testing/quickServer.ts'
import { errorOn } from '../toasts.ts'
import { test } from '../workerFixtures.ts'

// Each test starts its own server.
test.describe.configure({ timeout: 180_000 * patience })

/** Records the paths that a page visits. */
function pathsOf(page: Page): string[] {
  const paths: string[] = []
  page.on('framenavigated', frame => {
    if (frame === page.mainFrame()) paths.push(new URL(frame.url()).pathname)
  })
  return paths
}

async function pressGoogle(page: Page, server: BuiltServer, path = '/auth/sign-in') {
  await page.goto(server.url + path)
  await page.getByRole('button', { name: 'Google' }).click()
}

async function expectSignedInAs(page: Page, name: string, email: string) {
  await page.getByRole('button', { name: 'Your profile' }).click()
  await expect(page.getByRole('menu')).toContainText(name)
  await expect(page.getByRole('menu')).toContainText(email)
}

test('sign-in with an external account goes through /new to the team list', async ({ page }) => {
  await using provider = await openIdProvider()
  provider.account = {
    email: 'ana@example.com',
    email_verified: true,
    given_name: 'Ana',
    family_name: 'Prost',
  }
  const server = await startQuickServer({
    settings: {
      GOOGLE_ISSUER: provider.url,
      GOOGLE_CLIENT_ID: 'us',
      GOOGLE_CLIENT_SECRET: 'secret',
    },
  })
  try {
    const paths = pathsOf(page)
    await pressGoogle(page, server)
    await expect(page.getByRole('heading', { name: 'Select a Team' })).toBeVisible()
    await expect(page).toHaveURL(/\/teams$/)
    expect(provider.visits).toBe(1)
    expect(paths).toContain('/new')
    await expectSignedInAs(page, 'Ana Prost', 'ana@example.com')

    await test.step('it returns to the page that required signing in', async () => {
      await page.context().clearCookies()
      await page.evaluate(() => localStorage.clear())
      await pressGoogle(page, server, '/teams/create')
      await expect(page.getByRole('heading', { name: 'Add Team' })).toBeVisible()
    })

    await test.step('an unverified address is refused with the reason', async () => {
      await page.context().clearCookies()
      await page.evaluate(() => localStorage.clear())
      provider.account = { ...provider.account, email_verified: false }
      await pressGoogle(page, server)
      await expect(errorOn(page)).toContainText('Google did not verify your email address.')
      await expect(page).toHaveURL(/\/auth\/sign-in(\?|$)/)
    })
  } finally {
    await server.stop()
  }
})

test('without settings a local server offers a labelled demo account', async ({ page }) => {
  const server = await startQuickServer({
    settings: { SMTP_URL: '', DEV: '1', DEV_TOKEN: 'token-of-this-server' },
  })
  try {
    await page.goto(`${server.url}/dev/mailbox?token=token-of-this-server`)
    await pressGoogle(page, server, '/auth/sign-up')
    await expect(page.getByRole('heading', { name: 'Demo account provider' })).toBeVisible()
    await expect(page.getByText('This stands in for Google')).toBeVisible()
    await page.getByLabel('Email').fill('leo@example.com')
    await page.getByLabel('First name').fill('Leo')
    await page.getByLabel('Last name').fill('Garnier')
    await page.getByRole('button', { name: 'Continue to Pitboard' }).click()
    await expect(page.getByText('No Teams')).toBeVisible()
    await expectSignedInAs(page, 'Leo Garnier', 'leo@example.com')
  } finally {
    await server.stop()
  }
})

test('any other server offers no Google sign-in', async ({ page }) => {
  const server = await startQuickServer()
  try {
    for (const path of ['/auth/sign-in', '/auth/sign-up']) {
      await page.goto(server.url + path)
      await expect(page.getByLabel('Email')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Google' })).toBeHidden()
    }
    // A link from another site.
    await page.goto(`${server.url}/api/auth/google`)
    await expect(errorOn(page)).toContainText('Google sign-in is not set up on this server.')
    await expect(page).toHaveURL(`${server.url}/auth/sign-in`)
  } finally {
    await server.stop()
  }
})
