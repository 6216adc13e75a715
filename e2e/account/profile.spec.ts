import { expect, type Locator, type Page } from '@playwright/test'
import { fileUrl } from '#contract/shared/fileRules.ts'
import { fileClient } from '#testing/files/files.ts'
import { pictures } from '#testing/files/pictures.ts'
import { signIn, test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { hold, refuse } from '../mockApi.ts'
import { errorOn } from '../toasts.ts'

test('the profile shows the user, changes the name and signs out all tabs', async ({
  pit,
  server,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  await signIn(pit.context(), ana, server.url)
  const team = await ana.call.teams.create({ name: 'Northline Racing' })
  const logo = { teamId: team.id, name: 'logo', bytes: pictures.png }
  const { updatedAt } = await fileClient(server.url, ana.jar).upload(logo)
  const logoUrl = fileUrl({ ...logo, updatedAt })
  await pit.goto('/teams')
  const menu = pit.getByRole('menu')

  await test.step('it shows name and email', async () => {
    await pit.getByRole('button', { name: 'Your profile' }).click()
    await expect(menu).toContainText('Ana Lindqvist')
    await expect(menu).toContainText(ana.email)
  })

  const other = await pit.context().newPage()
  await other.goto(`${server.url}/teams`)
  await expect(other.getByRole('button', { name: 'Your profile' })).toHaveText('AL')
  await pit.bringToFront()

  await test.step('a new name is stored, here, in the other tab and on the server', async () => {
    await menu.getByRole('menuitem', { name: 'Edit name' }).click()
    const dialog = pit.getByRole('dialog', { name: 'Your name' })
    await expect(dialog.getByLabel('First Name')).toHaveValue('Ana')
    await dialog.getByLabel('First Name').fill('')
    await dialog.getByLabel('Last Name').fill('Prost')
    await expect(dialog.getByText('Enter a first name.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await dialog.getByLabel('First Name').fill('Anna')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(pit.getByText('Your teams now see you as Anna Prost.')).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(await ana.call.users.me()).toMatchObject({ firstName: 'Anna', lastName: 'Prost' })
    await expect(other.getByRole('button', { name: 'Your profile' })).toHaveText('AP')
    await pit.reload()
    await expect(pit.getByRole('button', { name: 'Your profile' })).toHaveText('AP')
  })

  await test.step('signing out ends the login, clears the device and signs out the other tab', async () => {
    const closed = new Promise<void>(resolve => {
      other.once('websocket', socket => socket.once('close', () => resolve()))
    })
    await other.goto(`${server.url}/teams/${team.id}/members`)
    await expect(other.getByText('Anna Prost')).toBeVisible()
    await pit.evaluate(() => localStorage.setItem('somebody', 'was here'))
    await expect.poll(() => isCached(pit, logoUrl)).toBe(true)

    const answered = pit.waitForResponse(/auth\.signOut/)
    // A phone in landscape: the items are higher than the screen, and the menu scrolls.
    await pit.setViewportSize({ width: 844, height: 390 })
    await pit.getByRole('button', { name: 'Your profile' }).click()
    await expect(menu).toBeInViewport({ ratio: 1 })
    await menu.getByRole('menuitem', { name: 'Sign out' }).click()
    expect(await (await answered).headerValue('clear-site-data')).toBe('"cache"')
    await expect(pit.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()

    await closed
    await expect(other.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
    await expect(ana.call.users.me()).rejects.toMatchObject({ code: 'not-signed-in' })
    await expect
      .poll(async () => {
        const kept = await pit.evaluate(() =>
          [localStorage, sessionStorage].flatMap(storage => Object.keys(storage)),
        )
        return kept.filter(key => key !== 'appVersion')
      })
      .toEqual([])
    const cookies = await pit.context().cookies()
    expect(cookies.map(({ name }) => name)).not.toContain('pitboard_login')

    await expect.poll(() => isCached(pit, logoUrl)).toBe(false)

    await pit.goto('/teams')
    await expect(pit.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  })
})

test('a failed rename shows an error next to Save and can be retried', async ({ open, person }) => {
  const page = await open(await person('Ana', 'Lindqvist'))
  await page.goto('/teams')
  const dialog = await openName(page)
  const restore = await refuse(page, 'users.rename', 'server-error')
  await dialog.getByLabel('Last Name').fill('Prost')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('The server could not do that. Try again.')

  restore()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your teams now see you as Ana Prost.')).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('the dialog stays open until the name is saved', async ({ open, person }) => {
  const page = await open(await person('Ana', 'Lindqvist'))
  await page.goto('/teams')
  const dialog = await openName(page)
  await refuse(page, 'users.rename', 'server-error')
  const release = await hold(page, 'users.rename')
  await dialog.getByLabel('Last Name').fill('Prost')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await release()
  await expect(dialog.getByRole('alert')).toHaveText('The server could not do that. Try again.')

  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
})

test('a member chooses of which events to be notified, also after a failure', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const pit = await open(ana)
  await pit.addInitScript(() => {
    // A headless browser denies notifications without asking.
    Object.defineProperty(Notification, 'permission', { value: 'default' })
  })
  await pit.goto('/teams')
  await pit.getByRole('button', { name: 'Your profile' }).click()
  await pit.getByRole('menuitem', { name: 'Notifications' }).click()
  const dialog = pit.getByRole('dialog', { name: 'Notifications' })
  const pits = dialog.getByLabel('a car comes into the pits')
  const silent = dialog.getByLabel('a driver is silent for 60 s')
  await expect(dialog.getByText('Off for this device')).toBeVisible()
  await expect(dialog.getByRole('checkbox')).toHaveCount(7)
  await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(7)

  // The boxes follow the server, so that they may change back while `check` looks at them.
  await pits.click()
  await silent.click()
  await expect
    .poll(async () => (await ana.call.notifications.settings({})).kinds)
    .toEqual(['session-started', 'stopped', 'problem', 'stint-over', 'waiting'])

  const restore = await refuse(pit, 'notifications.choose', 'server-error')
  await pits.click()
  await expect(errorOn(pit)).toContainText('Not saved')
  await expect(pits).not.toBeChecked()
  restore()

  await pit.reload()
  await pit.getByRole('button', { name: 'Your profile' }).click()
  await pit.getByRole('menuitem', { name: 'Notifications' }).click()
  await expect(silent).not.toBeChecked()
  await expect(pits).not.toBeChecked()
  await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(5)
})

async function openName(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Edit name' }).click()
  return page.getByRole('dialog', { name: 'Your name' })
}

/** Whether the browser has this URL in its HTTP cache. */
function isCached(page: Page, url: string): Promise<boolean> {
  return page.evaluate(
    address =>
      fetch(address, { cache: 'only-if-cached', mode: 'same-origin' }).then(
        answer => answer.ok,
        () => false,
      ),
    url,
  )
}

test('dialogs of the profile open at the first tap, also without a network', async ({
  pit,
  server,
  person,
}) => {
  await signIn(pit.context(), await person('Ana'), server.url)
  const loaded = pit.waitForResponse(/\/assets\/profileDialogs-.*\.js/)
  await pit.goto('/teams')
  await (await loaded).finished()
  await goOffline(pit)
  await pit.getByRole('button', { name: 'Your profile' }).click()
  await pit.getByRole('menuitem', { name: 'Edit name' }).click()
  await expect(pit.getByRole('dialog', { name: 'Your name' })).toBeVisible()
})
