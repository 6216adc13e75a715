import { expect, type Locator, type Page } from '@playwright/test'
import { phoneOptions, test, waitForPaint, wordOn } from './driveFixture.ts'
import { refuse } from './mockApi.ts'
import { errorOn, successOn } from './toasts.ts'

// spec: MS-2 MS-17
test('the message screen has the focus on its title, also when the session does not load', async ({
  scene,
  open,
  session,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(`/teams/${session.teamId}`)
  await pit.getByRole('link', { name: /^Friday practice 1/ }).click()
  await expect(title(pit, 'Leo Garnier Friday practice 1')).toBeFocused()

  await pit.goBack()
  await pit.routeWebSocket('**/live', () => {})
  await pit.reload()
  const mend = await refuse(pit, 'sessions.get', 'too-many')
  await pit.getByRole('link', { name: /^Friday practice 1/ }).click()
  await expect(pit.getByRole('alert')).toContainText('This session did not load')
  await expect(title(pit, 'Message')).toBeFocused()
  mend()
  await pit.getByRole('button', { name: 'Try again' }).click()
  await expect(title(pit, /Leo Garnier/)).toBeVisible()
})

// spec: DR-28
test('the drive screen has the focus, before and after it is loaded, and Enter and Space acknowledge', async ({
  scene,
  open,
  session,
  send,
  subscriber,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.goto(`/teams/${session.teamId}`)
  await phone.getByRole('link', { name: /Enter your existing Race Session/ }).press('Enter')
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

test('notes are said in places that were there before them', async ({ scene, open }) => {
  const page = await open(scene.ana)
  await page.goto('/teams/create')
  const mend = await refuse(page, 'teams.create', 'server-error')
  const area = page.getByRole('region', { name: 'Notifications' })
  const errors = area.locator('[aria-live=assertive]')
  const others = area.locator('[aria-live=polite]')
  await remember(errors, others)
  await page.getByLabel('Team Name').fill('Night Owls 2')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(errorOn(page)).toContainText('There was an error creating the team.')
  await expect(errors).toContainText('There was an error creating the team.')
  mend()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(successOn(page)).toContainText('Night Owls 2')
  await expect(others).toContainText('Night Owls 2')
  await expectSame(errors, others)
})

// spec: MS-20
test('the board says which message it is and how far it came, in one place, and no ages', async ({
  scene,
  open,
  messageUrl,
  phone,
  send,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  const board = pit.getByRole('region', { name: 'Current message' })
  const said = board.getByRole('status')
  await expect(said).toHaveText('No message')
  await remember(said)
  await send('Pit')
  await expect(said).toHaveText(/^Pit: On driver's screen/)
  await phone.getByRole('main').tap()
  await expect(said).toHaveText('Pit: Acknowledged by driver')
  await phone.close()
  await send('Fuel')
  await expect(board).toContainText(/Sent\s*\d+ s/)
  await expect(said).toHaveText('Fuel: Sent')
  await send(null)
  await expect(said).toHaveText('CLEAR: Sent')
  await expectSame(said)
  await expect(board.locator('[aria-live], [role=status], [role=alert], output')).toHaveCount(1)
})

// spec: DR-16 DR-21
test('the word is said to the driver in a place that was there before it', async ({
  phone,
  send,
}) => {
  const said = phone.getByRole('alert')
  await expect(said).toHaveText('')
  await remember(said)
  for (const type of ['Pit', null, 'Go'] as const) {
    await send(type)
    await expect(said).toHaveText(type ?? '')
  }
  await expect(wordOn(phone)).toBeVisible()
  await expectSame(said)
})

function title(page: Page, name: string | RegExp): Locator {
  return page.getByRole('heading', { level: 1, name })
}

/** A reader only follows a place that it knows: what is read out may change, what holds it may not. */
async function remember(...places: Locator[]) {
  for (const place of places) {
    await place.evaluate(element => Object.assign(element, { known: true }))
  }
}

async function expectSame(...places: Locator[]) {
  for (const place of places) await expect(place).toHaveJSProperty('known', true)
}
