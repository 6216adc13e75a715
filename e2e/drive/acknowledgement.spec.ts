import { expect, type Page, type Route } from '@playwright/test'
import { test } from '../fixtures.ts'
import { changeFrames } from '../liveFrames.ts'
import {
  boardOf,
  mockHeadset,
  openBoard,
  phoneOptions,
  pressDrive,
  setHidden,
  waitForPaint,
} from './driveScreen.ts'

test('the headset button does not acknowledge a message that was not seen', async ({
  scene,
  open,
  driveUrl,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  const phone = await open(scene.leo, phoneOptions)
  await mockHeadset(phone)
  await phone.goto(`${driveUrl}?checks`)
  const headset = phone.getByRole('button', { name: 'Headset button' })
  await headset.tap()
  await expect(headset).toHaveAttribute('aria-pressed', 'true')
  await expect(phone.getByText('Press it once')).toBeVisible()
  await pressDrive(phone)
  await setHidden(phone, true)
  await expect(boardOf(pit)).toContainText('Screen off or another app')
  await pit.getByRole('button', { name: 'PIT' }).click()
  await expect(phone.getByRole('alert')).toHaveText('Pit')
  await phone.evaluate(() => dispatchEvent(new Event('media-button')))
  await expect(boardOf(pit)).toContainText('On the phone, not shown')

  await setHidden(phone, false)
  await expect(boardOf(pit)).toContainText('Shown after')
  await phone.evaluate(() => dispatchEvent(new Event('media-button')))
  await expect(boardOf(pit)).toContainText('Copied after')
})

// rules: R6
test('of two drive screens the one opened last drives, and the other shows it (R6)', async ({
  scene,
  open,
  phone,
  driveUrl,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  const spare = await open(scene.leo, phoneOptions)
  await spare.goto(driveUrl)
  await expect(spare.getByText('Online')).toBeVisible()
  await expect(phone.getByText('driven on another device')).toBeVisible()

  // Only the screen in the car can report a message as shown.
  await setHidden(spare, true)
  await pit.getByRole('button', { name: 'ABORT' }).click()
  await expect(boardOf(pit)).toContainText('On the phone, not shown')

  await phone.getByRole('button', { name: 'Drive here' }).tap()
  await expect(phone.getByRole('alert')).toHaveText('Abort')
  await expect(boardOf(pit)).toContainText('Shown after')
  await expect(spare.getByText('driven on another device')).toBeVisible()
  await spare.close()
  await pit.getByRole('button', { name: 'CLEAR' }).click()
  await expect(phone.getByRole('alert')).toBeEmpty()
  await expect(boardOf(pit)).not.toContainText('Driver left')
})

test('a cleared message is not shown again when the screen is reopened', async ({
  scene,
  open,
  driveUrl,
  session,
  send,
}) => {
  await send('Pit')
  const phone = await open(scene.leo, phoneOptions)
  await phone.goto(driveUrl)
  await expect(phone.getByRole('alert')).toHaveText('Pit')
  await send(null)
  await expect(phone.getByRole('alert')).toBeEmpty()
  await phone.keyboard.press('Escape')
  const back = phone.getByRole('link', { name: 'Enter your existing Race Session' })
  await expect(back).toBeVisible()
  await recordWords(phone)
  await back.tap()
  await expect(phone.getByRole('main')).toHaveAttribute('data-version', '2')
  await expect(phone.getByText('Online')).toBeVisible()
  expect(await phone.locator('html').getAttribute('data-words')).toBeNull()
  expect((await scene.leo.call.sessions.get({ sessionId: session.id })).message.type).toBeNull()
})

test('a test flash pressed before the server accepts the phone is shown after that', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  // The phone requests to drive again after the delay.
  await changeFrames(
    phone,
    text => {
      const { dataset } = document.documentElement
      if ('refused' in dataset || !text.includes('"drive":')) return text
      dataset.refused = ''
      const refused = { t: 'refused', re: 'drive', code: 'too-many', message: '' }
      return JSON.stringify({ ...refused, retryAfterSeconds: 3 })
    },
    null,
  )
  await phone.goto(`${driveUrl}?checks`)
  await expect(phone.locator('html')).toHaveAttribute('data-refused')
  await phone.getByRole('button', { name: 'Test flash' }).tap()
  await expect(phone.getByText('Test', { exact: true })).toBeVisible()
})

test('the test flash is confirmed only if a team screen is visible', async ({
  scene,
  open,
  phone,
  driveUrl,
  messageUrl,
}) => {
  await phone.goto(`${driveUrl}?checks`)
  const check = phone.getByRole('listitem').filter({ hasText: 'Test flash' })
  await expect(phone.getByText('Online')).toBeVisible()
  await phone.getByRole('button', { name: 'Test flash' }).tap()
  await expect(phone.getByText('Test', { exact: true })).toBeVisible()
  await expect(phone.getByText('Test', { exact: true })).toBeHidden()
  await expect(check).not.toContainText('Shown after')

  const pit = await open(scene.ana)
  await openBoard(pit, messageUrl)
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  await expect(phone.getByText('Online')).toBeVisible()
  await phone.getByRole('button', { name: 'Test flash' }).tap()
  await expect(check).toContainText('Shown after')
})

test('the pit wall flashes the test in the lane of the car and confirms it', async ({
  scene,
  open,
  phone,
  driveUrl,
}) => {
  const wall = await open(scene.ana)
  await wall.goto(driveUrl.replace(/[^/]+\/drive$/, 'wall'))
  const lane = wall.getByRole('article')
  await expect(lane).toContainText('No message')
  await phone.goto(`${driveUrl}?checks`)
  await expect(phone.getByText('Online')).toBeVisible()
  await phone.getByRole('button', { name: 'Test flash' }).tap()
  await expect(lane).toContainText('From the driver')
  const check = phone.getByRole('listitem').filter({ hasText: 'Test flash' })
  await expect(check).toContainText('Shown after')
  await expect(lane).toContainText('No message')
})

test('a failed press is reported even if another member sent a message first', async ({
  scene,
  open,
  phone,
  send,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  const held: Route[] = []
  await pit.route('**/api/messages.set', route => void held.push(route))
  await pit.getByRole('button', { name: 'ABORT' }).click()
  await expect.poll(() => held.length).toBe(1)
  await scene.kim.call.messages.set({
    sessionId: messageUrl.split('/')[3] ?? '',
    type: 'Go',
    commandId: crypto.randomUUID(),
  })
  await expect(phone.getByRole('alert')).toHaveText('Go')
  await held[0]?.abort()
  await expect(pit.getByText('ABORT may not have been sent.')).toBeVisible()
  await expect(boardOf(pit)).toContainText('Shown after')
  await send(null)
})

for (const input of ['tap', 'key'] as const)
  test(`a ${input} that began on one message does not acknowledge the next`, async ({
    scene,
    phone,
    send,
    session,
  }) => {
    const down = () => (input === 'tap' ? phone.mouse.down() : phone.keyboard.down('Enter'))
    const up = () => (input === 'tap' ? phone.mouse.up() : phone.keyboard.up('Enter'))
    await send('Go')
    await expect(phone.getByRole('alert')).toHaveText('Go')
    await phone.mouse.move(200, 300)
    await down()
    await send('Abort')
    await expect(phone.getByRole('alert')).toHaveText('Abort')
    await waitForPaint(phone)
    // A key that is held repeats.
    if (input === 'key') await down()
    await up()
    await waitForPaint(phone)
    expect(await phone.getByText('Copy').count()).toBe(0)
    await down()
    await up()
    await expect(phone.getByText('Copy')).toBeVisible()
    // The phone shows Copy before the server has stored it.
    await expect
      .poll(async () => {
        const log = await scene.ana.call.messages.log({ sessionId: session.id })
        return log.map(({ type, copiedAt }) => [type, copiedAt !== null])
      })
      .toEqual([
        ['Abort', true],
        ['Go', false],
      ])
  })

/** Sets `data-words` if any message is shown from now on, however briefly. */
function recordWords(phone: Page) {
  return phone.evaluate(() => {
    const { documentElement: root, body } = document
    new MutationObserver(() => {
      if (body.querySelector('[role=alert] p')) root.dataset.words = 'seen'
    }).observe(body, { subtree: true, childList: true })
  })
}
