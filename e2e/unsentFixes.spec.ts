import { expect, type Page } from '@playwright/test'
import { spaFrancorchamps } from '#contract/circuits/spa-francorchamps.ts'
import type { Person } from '#testing/person.ts'
import { test } from './driveFixture.ts'
import { addFixes, countFixes } from './unsentFixes.ts'

const here = spaFrancorchamps.startFinish
const fix = { ...here, speedKmh: 144, accuracyM: 4 }

/** The times of the fixes in each call that stores some. */
function recordCalls(page: Page): number[][] {
  const calls: number[][] = []
  page.on('request', request => {
    if (!request.url().endsWith('/api/sessions.storeFixes')) return
    calls.push(request.postDataJSON().fixes.map((each: { at: number }) => each.at))
  })
  return calls
}

async function signInAs(page: Page, person: Person, url: string) {
  await page.context().addCookies(person.jar.cookiesFor(url))
}

// rules: F8
test('a browser that takes the database away is asked for a new one, and keeping goes on', async ({
  phone,
  gps,
}) => {
  await gps({ ...here, speed: 40 })
  await expect(phone.getByText('144')).toBeVisible()
  await phone.context().setOffline(true)
  await expect.poll(() => countFixes(phone)).toBeGreaterThanOrEqual(1)
  await phone.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase('pitboard.fixes')
        deleting.onsuccess = resolve
        deleting.onerror = reject
      }),
  )
  await expect.poll(() => countFixes(phone)).toBeGreaterThanOrEqual(2)
})

// rules: F8
test('what was on its way when the page died is sent by the next one', async ({ phone, gps }) => {
  await gps({ ...here, speed: 40 })
  await expect.poll(() => countFixes(phone, 'sent')).toBeGreaterThanOrEqual(2)
  const calls = recordCalls(phone)
  await phone.reload()
  await expect.poll(() => calls.flat().length).toBeGreaterThanOrEqual(2)
  await expect.poll(() => countFixes(phone)).toBe(0)
})

// rules: F8
test('on a good line nothing is left behind, and nothing is sent twice', async ({
  phone,
  gps,
  subscriber,
}) => {
  const calls = recordCalls(phone)
  await gps({ ...here, speed: 40 })
  for (let received = 0; received < 15; received++) await subscriber.next('fix')
  // Those of the last seconds: 3 to be written, and 2 between beats.
  await expect.poll(() => countFixes(phone, 'sent')).toBeLessThanOrEqual(7)
  await expect.poll(() => countFixes(phone, 'sent')).toBeGreaterThanOrEqual(2)
  expect(calls).toEqual([])
  expect(await countFixes(phone)).toBe(0)
})

// rules: F8
test('a login that ends on its own leaves them to their driver, whoever comes between', async ({
  scene,
  person,
  phone,
  session,
  server,
}) => {
  const times = [1, 2, 3].map(n => session.startedAt + n)
  const driven = { userId: scene.leo.id, sessionId: session.id }
  await phone.goto('/teams')
  await expect(phone.getByRole('link', { name: 'Night Owls' })).toBeVisible()
  await phone.route('**/api/sessions.storeFixes', route => route.abort())
  await addFixes(
    phone,
    driven,
    times.map(at => ({ ...fix, at })),
  )
  await phone.context().clearCookies()
  await phone.reload()
  await expect(phone.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  expect(await countFixes(phone)).toBe(3)

  await phone.unroute('**/api/sessions.storeFixes')
  const calls = recordCalls(phone)
  await signInAs(phone, await person('Kim', 'Okafor'), server.url)
  await phone.goto('/teams')
  await expect(phone.getByRole('button', { name: 'Your profile' })).toHaveText('KO')
  await signOut(phone)
  await expect(phone.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  expect(calls).toEqual([])
  expect(await countFixes(phone)).toBe(3)

  await signInAs(phone, scene.leo, server.url)
  await phone.goto('/teams')
  await expect.poll(() => countFixes(phone)).toBe(0)
  expect(calls).toEqual([times])
})

test('who signs out before all is sent is asked first', async ({ open, person, session }) => {
  const leo = await person('Leo', 'Garnier')
  const phone = await open(leo)
  await phone.route('**/api/sessions.storeFixes', route => route.abort())
  await phone.goto('/teams')
  await expect.poll(() => hasDatabase(phone)).toBe(true)
  const driven = { userId: leo.id, sessionId: session.id }
  await addFixes(
    phone,
    driven,
    [1, 2].map(at => ({ ...fix, at })),
  )

  await signOut(phone)
  const dialog = phone.getByRole('alertdialog')
  await expect(dialog).toContainText('2 positions are not sent yet. Sign out and delete them?')
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(dialog).toBeHidden()
  expect(await countFixes(phone)).toBe(2)

  await signOut(phone)
  await dialog.getByRole('button', { name: 'Sign out and delete' }).click()
  await expect(phone.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  expect(await countFixes(phone)).toBe(0)
})

// rules: F8
test('one fix that the server cannot take does not take the others with it', async ({
  scene,
  phone,
  session,
}) => {
  const stored: number[] = []
  phone.on('response', async response => {
    if (response.url().endsWith('/api/sessions.storeFixes') && response.ok())
      stored.push((await response.json()).stored)
  })
  await phone.context().setOffline(true)
  const times = [1, 2, 3, 4, 5].map(n => session.startedAt + n * 100)
  const fixes = times.map((at, n) => ({ ...fix, at, speedKmh: n === 3 ? 9999 : 144 }))
  await expect.poll(() => hasDatabase(phone)).toBe(true)
  await addFixes(phone, { userId: scene.leo.id, sessionId: session.id }, fixes)
  await phone.context().setOffline(false)
  await expect.poll(() => countFixes(phone)).toBe(0)
  expect(stored.reduce((sum, each) => sum + each, 0)).toBe(4)

  // Not on the drive screen, where nothing covers a word.
  const notice = phone.getByText('One position of your drive could not be stored.')
  await expect(notice).toBeHidden()
  await phone.goto('/teams')
  await expect(notice).toBeVisible()
  await phone.getByRole('button', { name: 'Close' }).click()
  await expect(notice).toBeHidden()
})

// rules: F8
test('a reading that is reported again has the time that it had', async ({ phone, subscriber }) => {
  const devtools = await phone.context().newCDPSession(phone)
  await devtools.send('Emulation.setGeolocationOverride', { ...here, accuracy: 4, speed: 40 })
  const times = new Set<number>()
  let received = 0
  while (received < 3) {
    const { la, at } = await subscriber.next('fix')
    if (la === null) continue
    times.add(at)
    received += 1
  }
  expect(times.size).toBe(1)
})

test('a browser that has a database and does not open it keeps nothing, and the check says so', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo)
  await phone.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Not here', 'SecurityError')
    }
  })
  await phone.goto(driveUrl)
  await phone.getByRole('button', { name: 'Full screen, stay awake' }).click()
  await expect(phone.getByText('Cannot store positions. Leave the private window.')).toBeVisible()
})

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** The app has made its database. */
function hasDatabase(page: Page): Promise<boolean> {
  return page.evaluate(async () =>
    (await indexedDB.databases()).some(({ name }) => name === 'pitboard.fixes'),
  )
}
