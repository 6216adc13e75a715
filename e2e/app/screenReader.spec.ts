import { expect, type Locator, type Page } from '@playwright/test'
import { phoneOptions, pressDrive, waitForPaint, wordOn } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { refuse, stubLiveConnection } from '../mockApi.ts'
import { errorOn, successOn } from '../toasts.ts'

// spec: MS-2 MS-17
test('the message screen focuses its title, also when the session does not load', async ({
  scene,
  open,
  session,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(`/teams/${session.teamId}`)
  // Ended sessions of the team may have the same name, and be listed first.
  const active = pit.getByRole('region', { name: 'Message' })
  const row = active.getByRole('link', { name: /^Friday practice 1/ })
  await row.click()
  await expect(title(pit, 'Leo Garnier Friday practice 1')).toBeFocused()

  await pit.goBack()
  await stubLiveConnection(pit)
  await pit.reload()
  const restore = await refuse(pit, 'sessions.get', 'too-many')
  await row.click()
  await expect(pit.getByRole('alert')).toContainText('This session did not load')
  await expect(title(pit, 'Message')).toBeFocused()
  restore()
  await pit.getByRole('button', { name: 'Try again' }).click()
  await expect(title(pit, /Leo Garnier/)).toBeVisible()
})

// spec: DR-28
test('the drive screen has the focus; Enter and Space acknowledge', async ({
  scene,
  open,
  session,
  send,
  subscriber,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.goto(`/teams/${session.teamId}`)
  await phone.getByRole('link', { name: /Enter your existing Race Session/ }).press('Enter')
  await pressDrive(phone)
  await expect(phone.getByText('Online')).toBeVisible()
  const screen = phone.getByRole('main')
  await expect(screen).toBeFocused()
  await expect(screen).toHaveAccessibleName('Drive. Tap anywhere to acknowledge a message')
  await expect(screen).toHaveCSS('outline-style', 'none')
  for (const [index, key] of ['Enter', 'Space'].entries()) {
    await send('Push')
    await expect(screen).toHaveAttribute('data-version', String(index + 1))
    await waitForPaint(phone)
    await phone.keyboard.press(key)
    await subscriber.next(
      'receipt',
      ({ version, receipt }) => version === index + 1 && receipt.copiedAt !== null,
    )
  }
})

test('toasts are announced in live regions that exist beforehand', async ({ scene, open }) => {
  const page = await open(scene.ana)
  await page.goto('/teams/create')
  const restore = await refuse(page, 'teams.create', 'server-error')
  const area = page.getByRole('region', { name: 'Notifications' })
  const errors = area.locator('[aria-live=assertive]')
  const others = area.locator('[aria-live=polite]')
  await markElements(errors, others)
  await page.getByLabel('Team Name').fill('Night Owls 2')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(errorOn(page)).toContainText('There was an error creating the team.')
  await expect(errors).toContainText('There was an error creating the team.')
  restore()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(successOn(page)).toContainText('Night Owls 2')
  await expect(others).toContainText('Night Owls 2')
  await expectSameElements(errors, others)
})

// spec: MS-20
test('the board announces message and delivery in one live region, without ages', async ({
  scene,
  open,
  messageUrl,
  phone,
  send,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  const board = pit.getByRole('region', { name: 'Current message' })
  const region = board.getByRole('status')
  await expect(region).toHaveText('No message')
  await markElements(region)
  await send('Pit')
  await expect(region).toHaveText(/^Pit: Shown after/)
  await phone.getByRole('main').tap()
  await expect(region).toHaveText(/^Pit: Copied after/)
  // A page that is closed still runs for a moment.
  await goOffline(phone)
  await phone.close()
  await send('Fuel')
  await expect(board).toContainText(/Sent, not shown\s*\d:\d\d/)
  await expect(region).toHaveText('Fuel: Sent, not shown')
  await send(null)
  await expect(region).toHaveText('CLEAR: Sent, not shown')
  await expectSameElements(region)
  // The other one announces answers.
  await expect(board.locator('[aria-live], [role=status], [role=alert], output')).toHaveCount(2)
})

// spec: DR-16 DR-21
test('a message is announced to the driver in a live region that exists beforehand', async ({
  phone,
  send,
}) => {
  const region = phone.getByRole('alert')
  await expect(region).toHaveText('')
  await markElements(region)
  for (const type of ['Pit', null, 'Go'] as const) {
    await send(type)
    await expect(region).toHaveText(type ?? '')
  }
  await expect(wordOn(phone)).toBeVisible()
  await expectSameElements(region)
})

function title(page: Page, name: string | RegExp): Locator {
  return page.getByRole('heading', { level: 1, name })
}

/** Marks live regions: a screen reader announces changes only in an element that stays the same. */
async function markElements(...places: Locator[]) {
  for (const place of places) {
    await place.evaluate(element => Object.assign(element, { known: true }))
  }
}

async function expectSameElements(...places: Locator[]) {
  for (const place of places) await expect(place).toHaveJSProperty('known', true)
}
