import { expect, type Page } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { changeFrames } from '../liveFrames.ts'
import { refuse } from '../mockApi.ts'
import { addFixes, countFixes, fixTimes } from './unsentFixes.ts'

const here = spaFrancorchamps.startFinish
const fix = { ...here, speedKmh: 144, accuracyM: 4 }

/** Records the times of the fixes in each call of sessions.storeFixes. */
function recordUploads(page: Page): number[][] {
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
test('a deleted IndexedDB database is created again and stores new fixes (F8)', async ({
  phone,
  gps,
}) => {
  await gps({ ...here, speed: 40 })
  await expect(phone.getByText('144')).toBeVisible()
  await goOffline(phone)
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

// rules: F11
test('unsent fixes survive a newer version of the database (F11)', async ({ phone }) => {
  await expect.poll(() => hasDatabase(phone)).toBe(true)
  // Fixes of another driver of this phone are not uploaded.
  const driven = { userId: crypto.randomUUID(), sessionId: crypto.randomUUID() }
  await addFixes(phone, driven, [{ ...fix, at: 1000 }])
  const before = await databaseVersion(phone)
  await phone.addInitScript(() => {
    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = function (name, version) {
      return open.call(this, name, version && version + 1)
    }
  })
  await phone.reload()
  await expect.poll(() => databaseVersion(phone)).toBe(before + 1)
  expect(await fixTimes(phone)).toContain(1000)
})

// rules: F8
test('fixes in flight when the page was closed are sent by the next page (F8)', async ({
  phone,
  gps,
}) => {
  // Without acknowledgements the fixes stay in flight.
  await changeFrames(phone, text => text.replace(/,"wrote":\d+/, ''), null)
  await phone.reload()
  await gps({ ...here, speed: 40 })
  await expect.poll(() => countFixes(phone, 'sent')).toBeGreaterThanOrEqual(2)
  const inFlight = await fixTimes(phone, 'sent')
  const calls = recordUploads(phone)
  await phone.reload()
  await expect.poll(() => calls.flat()).toEqual(expect.arrayContaining(inFlight))
  await expect.poll(() => countFixes(phone)).toBe(0)
})

// rules: F8
test('on a good connection no fix is queued, and none is sent twice (F8)', async ({
  phone,
  gps,
  subscriber,
}) => {
  await gps({ ...here, speed: 40 })
  // A reading from before the server accepted the phone is queued first.
  await expect.poll(() => countFixes(phone, 'sent')).toBeGreaterThanOrEqual(1)
  await expect.poll(() => countFixes(phone)).toBe(0)
  // If the machine pauses for 5 s, the connection times out: try again.
  await expect(async () => {
    const calls = recordUploads(phone)
    for (let received = 0; received < 15; received++) await subscriber.next('fix')
    // Only the fixes of the last seconds are unacknowledged: 2 or 3 when a response arrives, and 5 more by the next.
    await expect.poll(() => countFixes(phone, 'sent')).toBeLessThanOrEqual(7)
    await expect.poll(() => countFixes(phone, 'sent')).toBeGreaterThanOrEqual(2)
    expect(calls).toEqual([])
    expect(await countFixes(phone)).toBe(0)
  }).toPass()
})

// rules: F8
test('an expired login leaves unsent fixes to their driver, not to other users (F8)', async ({
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
  await expect.poll(() => hasDatabase(phone)).toBe(true)
  const restore = await refuse(phone, 'sessions.storeFixes', 'unreachable')
  await addFixes(
    phone,
    driven,
    times.map(at => ({ ...fix, at })),
  )
  await phone.context().clearCookies()
  await phone.reload()
  await expect(phone.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  expect(await countFixes(phone)).toBe(3)

  restore()
  const calls = recordUploads(phone)
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
  expect(new Set(calls.flat())).toEqual(new Set(times))
})

test('signing out with unsent fixes asks for confirmation', async ({ open, person, session }) => {
  const leo = await person('Leo', 'Garnier')
  const phone = await open(leo)
  await refuse(phone, 'sessions.storeFixes', 'unreachable')
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
test('fixes deleted at sign-out are not stored again with a corrected time (F8)', async ({
  scene,
  phone,
  session,
}) => {
  await phone.goto('/teams')
  await expect.poll(() => hasDatabase(phone)).toBe(true)
  await refuse(phone, 'sessions.storeFixes', 'unreachable')
  await goOffline(phone)
  const driven = { userId: scene.leo.id, sessionId: session.id }
  const at = session.startedAt + 1
  const unsynced = { page: 'closed', period: 0, deviceMs: 0, wallMs: at }
  await addFixes(phone, driven, [{ ...fix, at, unsynced }])
  const isCorrected = await phone.evaluateHandle(() => {
    const { transaction } = IDBDatabase.prototype
    const done = { isDone: false }
    // The fixes have been read, and are deleted just before they are stored again.
    IDBDatabase.prototype.transaction = function (...args) {
      if (args[0] !== 'fixes' || args[1] !== 'readwrite') return transaction.apply(this, args)
      IDBDatabase.prototype.transaction = transaction
      this.transaction('fixes', 'readwrite').objectStore('fixes').clear()
      const correcting = this.transaction(...args)
      correcting.addEventListener('complete', () => {
        done.isDone = true
      })
      return correcting
    }
    return done
  })
  await phone.context().setOffline(false)
  await expect.poll(() => isCorrected.evaluate(({ isDone }) => isDone)).toBe(true)
  expect(await countFixes(phone)).toBe(0)
})

// rules: F8
test('a fix that cannot be stored does not block the others (F8)', async ({
  scene,
  phone,
  session,
}) => {
  const stored: number[] = []
  phone.on('response', async response => {
    if (response.url().endsWith('/api/sessions.storeFixes') && response.ok())
      stored.push((await response.json()).stored)
  })
  await expect.poll(() => hasDatabase(phone)).toBe(true)
  await goOffline(phone)
  const times = [1, 2, 3, 4, 5].map(n => session.startedAt + n * 100)
  const fixes = times.map((at, n) => ({ ...fix, at, speedKmh: n === 3 ? 9999 : 144 }))
  await addFixes(phone, { userId: scene.leo.id, sessionId: session.id }, fixes)
  await phone.context().setOffline(false)
  await expect.poll(() => countFixes(phone)).toBe(0)
  // The queue may be empty before this test has read the last response.
  await expect.poll(() => stored.reduce((sum, each) => sum + each, 0)).toBe(4)

  // The drive screen shows no toasts, which would cover a message.
  const notice = phone.getByText('One position of your drive could not be stored.')
  await expect(notice).toBeHidden()
  await phone.goto('/teams')
  await expect(notice).toBeVisible()
  await phone.getByRole('button', { name: 'Close' }).click()
  await expect(notice).toBeHidden()
})

// rules: D2
test('fixes of a session without a data link do not block those of another one (D2)', async ({
  scene,
  phone,
  session,
}) => {
  const { ana, leo } = scene
  const { id: teamId } = await createTeam(ana, [leo])
  const other = await leo.call.sessions.start({ teamId, name: 'Test day' })
  const startedAt = Math.max(session.startedAt, other.startedAt)
  // Sessions are uploaded in the order of their ids.
  const isFirst = session.id < other.id
  const first = isFirst ? session.id : other.id
  const second = isFirst ? other.id : session.id
  await ana.call.sessions.setDataLink({ sessionId: first, dataLink: false })
  await phone.goto('/teams')
  await expect.poll(() => hasDatabase(phone)).toBe(true)
  await addFixes(phone, { userId: leo.id, sessionId: first }, [{ ...fix, at: startedAt + 1 }])
  await addFixes(phone, { userId: leo.id, sessionId: second }, [{ ...fix, at: startedAt + 2 }])
  await phone.reload()
  await expect.poll(() => fixTimes(phone)).toEqual([startedAt + 1])
  await leo.call.sessions.end({ sessionId: other.id })
})

// rules: F8
test('the same reading reported again has the same time', async ({ phone, subscriber }) => {
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

test('if IndexedDB cannot be opened, the storage check reports it', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo)
  await phone.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Blocked', 'SecurityError')
    }
  })
  await phone.goto(`${driveUrl}?checks`)
  await expect(phone.getByText('Leave the private window.')).toBeVisible()
})

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** Whether the app has created its database. */
async function hasDatabase(page: Page): Promise<boolean> {
  return (await databaseVersion(page)) > 0
}

/** Returns the version of the app's database; 0 before the app has created it. */
function databaseVersion(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases()
    return databases.find(({ name }) => name === 'pitboard.fixes')?.version ?? 0
  })
}
