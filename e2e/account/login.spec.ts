import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { recordCalls, refuse } from '../mockApi.ts'
import { errorOn } from '../toasts.ts'

// spec: AU-4 CO-6
test('the login is requested at start, every 5 minutes, and when online again', async ({
  open,
  person,
}) => {
  const page = await open(await person('Ana'))
  const calls = recordCalls(page, 'auth.login')
  await page.clock.install()
  await page.goto('/teams')
  await expect(page.getByText('No Teams')).toBeVisible()
  expect(calls).toHaveLength(1)

  // The page's clock also runs on its own, slowly on a busy machine.
  await page.clock.fastForward('03:00')
  expect(calls).toHaveLength(1)
  const answer = page.waitForResponse(/auth\.login/)
  await page.clock.fastForward('02:00')
  await (await answer).finished()
  expect(calls).toHaveLength(2)

  await goOffline(page)
  await page.context().setOffline(false)
  await expect.poll(() => calls.length).toBeGreaterThanOrEqual(3)
})

// spec: AU-2 AU-3
test('a login that ended elsewhere ends here after one more request', async ({ open, person }) => {
  const ana = await person('Ana')
  const page = await open(ana)
  await page.goto('/teams')
  await expect(page.getByText('No Teams')).toBeVisible()
  await expect.poll(kept).toContain(ana.email)
  await page.evaluate(() => localStorage.setItem('pitboard.drive', 'the last message'))
  const calls = recordCalls(page, 'auth.login')

  await ana.call.auth.signOut()
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  await expect.poll(() => calls.length).toBeGreaterThan(0)
  await expect.poll(async () => Object.keys(JSON.parse(await kept()))).toEqual(['appVersion'])

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
  expect(await ana.call.auth.login()).toMatchObject({ login: null })
  // The version of the app does not reveal the user.
  await expect
    .poll(async () => {
      const kept = await page.evaluate(() => Object.keys(localStorage))
      return kept.filter(name => name !== 'appVersion')
    })
    .toEqual([])
  await page.goto('/teams')
  await expect(page).toHaveURL('/auth/sign-in')
})

// spec: AU-2
test('signing out succeeds if the login has ended and the storage cannot be cleared', async ({
  open,
  person,
}) => {
  const page = await open(await person('Ana'))
  await page.addInitScript(() => {
    sessionStorage.setItem('stored', '')
    const { removeItem } = Storage.prototype
    Storage.prototype.removeItem = function (key) {
      if (key === 'stored') throw new Error('Storage is closed.')
      removeItem.call(this, key)
    }
    indexedDB.databases = () => Promise.reject(new Error('Databases are closed.'))
  })
  // A second observed end of the login clears the device again.
  const logged = new Set<string>()
  page.on('pageerror', error => logged.add(error.message))
  await page.goto('/teams')
  await refuse(page, 'auth.signOut', 'not-signed-in')
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect
    .poll(() => [...logged].sort())
    .toEqual(['Databases are closed.', 'Storage is closed.'])
  await expect(errorOn(page)).toHaveCount(0)
})
