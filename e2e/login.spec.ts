import { expect } from '@playwright/test'
import { callsOf } from './answers.ts'
import { test } from './crew.ts'

// spec: AU-4 CO-6
test('the login is asked for at start, every 5 minutes, and when the browser is back online', async ({
  open,
  person,
}) => {
  const page = await open(await person('Ana'))
  const asked = callsOf(page, 'auth.login')
  await page.clock.install()
  await page.goto('/teams')
  await expect(page.getByText('No Teams')).toBeVisible()
  expect(asked).toHaveLength(1)

  await page.clock.fastForward('04:30')
  expect(asked).toHaveLength(1)
  await page.clock.fastForward('00:30')
  await expect.poll(() => asked.length).toBe(2)

  await page.context().setOffline(true)
  await page.context().setOffline(false)
  await expect.poll(() => asked.length).toBe(3)
})

// spec: AU-2 AU-3
test('a login that ends elsewhere ends here, after the server was asked once more', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const page = await open(ana)
  await page.goto('/teams')
  await expect(page.getByText('No Teams')).toBeVisible()
  expect(await kept()).toContain(ana.email)
  const asked = callsOf(page, 'auth.login')

  await ana.call.auth.signOut()
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  expect(await kept()).not.toContain(ana.email)

  function kept() {
    return page.evaluate(() => JSON.stringify(localStorage))
  }
})

// spec: AU-2
test('signing out ends the login here and on the server', async ({ open, person }) => {
  const ana = await person('Ana')
  const page = await open(ana)
  await page.goto('/teams')
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  expect(await ana.call.auth.login()).toEqual({ login: null })
  // Which build is here says nothing of who was.
  const kept = await page.evaluate(() => Object.keys(localStorage))
  expect(kept.filter(name => name !== 'appVersion')).toEqual([])
  await page.goto('/teams')
  await expect(page).toHaveURL('/auth/sign-in')
})
