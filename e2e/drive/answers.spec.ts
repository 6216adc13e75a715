import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { samePlace } from '../samePlace.ts'
import {
  advanceUntil,
  boardOf,
  openWithClock,
  pauseClock,
  phoneOptions,
  waitForPaint,
} from './driveScreen.ts'
import { NewAnswers } from './newAnswers.ts'

const yes = (phone: Page) => phone.getByRole('button', { name: 'Yes, to Pit?' })

test('the team asks, the driver answers by a tap, and the team reads the answer', async ({
  scene,
  open,
  phone,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  const plate = pit.getByRole('button', { name: 'PIT', exact: true })
  const before = await plate.boundingBox()
  const ask = pit.getByRole('button', { name: 'Ask ?' })
  await ask.click()
  await expect(ask).toHaveAttribute('aria-pressed', 'true')
  // Orders stay orders, and are never dead.
  for (const name of ['FCY', 'SC', 'ABORT', 'CLEAR'])
    await expect(pit.getByRole('button', { name, exact: true })).toBeEnabled()
  await pit.getByRole('button', { name: 'PIT?' }).click()
  await expect(ask).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => plate.boundingBox()).toEqual(samePlace(before))

  await expect(phone.getByText('Pit?', { exact: true })).toBeVisible()
  await expect(boardOf(pit).getByText('Shown, no answer', { exact: true })).toBeVisible()
  await yes(phone).click()
  await expect(phone.getByText('Sent', { exact: true })).toBeVisible()
  await expect(boardOf(pit).getByText(/^After \d/)).toBeVisible()
  await expect(boardOf(pit).getByText('YES', { exact: true })).toBeVisible()
  // The screen is free again.
  await expect(phone.getByText('Sent', { exact: true })).toBeHidden()
  await expect(yes(phone)).toBeHidden()

  // The keyboard has the letters of the wall.
  await pit.keyboard.press('g')
  await expect(phone.getByRole('alert')).toHaveText('Go')
  await pit.keyboard.press('Shift+U')
  await expect(phone.getByText('Push?', { exact: true })).toBeVisible()
  await pit.keyboard.press('a')
  await expect(pit.getByRole('button', { name: 'A again' })).toBeVisible()
  await pit.keyboard.press('a')
  await expect(phone.getByRole('alert')).toHaveText('Abort')

  await pit.goto(messageUrl.replace('/message', '/log'))
  await expect(pit.getByText('PIT?')).toBeVisible()
  await expect(pit.getByRole('listitem').filter({ hasText: 'PIT?' })).toContainText(/YES after/)
})

test('an answer given without a network waits on the phone, and arrives once', async ({
  phone,
  scene,
  session,
  subscriber,
}) => {
  const ask = () =>
    scene.ana.call.messages.set({
      sessionId: session.id,
      type: 'Pit',
      ask: true,
      commandId: crypto.randomUUID(),
    })
  await ask()
  await expect(yes(phone)).toBeVisible()
  await goOffline(phone)
  await yes(phone).click()
  await expect(phone.getByText('Sending')).toBeVisible()
  await phone.context().setOffline(false)
  expect(await new NewAnswers(subscriber).next()).toMatchObject({
    kind: 'Yes',
    number: 1,
    question: { type: 'Pit' },
  })
})

test('a hold and an answer reach the team before the rest of the screen has loaded', async ({
  scene,
  open,
  driveUrl,
  session,
  subscriber,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.route(/\/assets\/DriveDetails-/, () => {})
  await phone.goto(driveUrl, { waitUntil: 'commit' })
  await expect(phone.getByText('Online')).toBeVisible()
  const answers = new NewAnswers(subscriber)
  const { width, height } = phone.viewportSize() ?? { width: 0, height: 0 }
  await phone.mouse.move(width / 2, height / 3)
  await phone.mouse.down()
  expect(await answers.next()).toMatchObject({ kind: 'Problem', version: 0 })
  await phone.mouse.up()
  await expect(phone.getByText('Sent, no answer yet').first()).toBeVisible()

  const commandId = crypto.randomUUID()
  const { messages } = scene.ana.call
  await messages.set({ sessionId: session.id, type: 'Pit', ask: true, commandId })
  await yes(phone).click()
  expect(await answers.next()).toMatchObject({ kind: 'Yes', version: 1 })
})

test('holding reports a problem, which a message covers and a tap takes back', async ({
  scene,
  open,
  driveUrl,
  send,
  subscriber,
}) => {
  const phone = await openWithClock(open, scene.leo, driveUrl)
  const answers = new NewAnswers(subscriber)
  const { width, height } = phone.viewportSize() ?? { width: 0, height: 0 }
  await phone.mouse.move(width / 2, height / 3)
  await pauseClock(phone)
  await phone.mouse.down()
  await phone.clock.runFor(400)
  await expect(phone.getByText('Keep holding: PROBLEM')).toBeVisible()
  await phone.clock.runFor(1100)
  expect(await answers.next()).toMatchObject({ kind: 'Problem', version: 0 })
  await phone.mouse.up()
  await phone.getByRole('button', { name: 'PIT THIS LAP' }).click()
  await phone.clock.resume()
  expect((await answers.next()).kind).toBe('PitThisLap')

  await send('Push')
  await expect(phone.getByRole('alert').getByText('Push')).toBeVisible()
  await phone.getByRole('button', { name: /Tap to take it back/ }).click()
  expect(await answers.next()).toMatchObject({ kind: 'TakenBack', version: 1 })
  await expect(phone.getByRole('button', { name: /Tap to take it back/ })).toBeHidden()
})

test('an order flashes on while a problem is held, and only a tap copies it (A6)', async ({
  scene,
  open,
  driveUrl,
  send,
  subscriber,
}) => {
  const phone = await openWithClock(open, scene.leo, driveUrl)
  const answers = new NewAnswers(subscriber)
  await send('Push')
  const order = phone.getByRole('alert').getByText('Push')
  await expect(order).toBeVisible()
  await phone.mouse.move(200, 500)
  await pauseClock(phone)
  await phone.mouse.down()
  await phone.clock.runFor(1600)
  expect(await answers.next()).toMatchObject({ kind: 'Problem', version: 1 })
  await phone.mouse.up()
  await phone.clock.resume()
  await expect(phone.getByRole('button', { name: /Tap to take it back/ })).toBeVisible()
  await expect(order).toBeVisible()
  await phone.getByRole('button', { name: 'PIT THIS LAP' }).click()
  expect((await answers.next()).kind).toBe('PitThisLap')
  const copied = () =>
    subscriber.received('receipt').filter(({ receipt }) => receipt.copiedAt !== null)
  expect(copied()).toEqual([])
  // If the machine pauses for half a second, the tap is a long touch, which does nothing.
  await expect(async () => {
    await phone.mouse.click(200, 500)
    await expect(phone.getByText('Copy')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect.poll(copied).toHaveLength(1)
})

test('a key held long reports a problem, a short press acknowledges the order', async ({
  scene,
  open,
  driveUrl,
  send,
  subscriber,
}) => {
  const phone = await openWithClock(open, scene.leo, driveUrl)
  const answers = new NewAnswers(subscriber)
  await send('Push')
  await expect(phone.getByRole('alert').getByText('Push')).toBeVisible()
  await waitForPaint(phone)
  await pauseClock(phone)
  await phone.keyboard.down('Enter')
  await phone.clock.runFor(1600)
  expect(await answers.next()).toMatchObject({ kind: 'Problem', version: 1 })
  // The key repeats until it is released.
  await phone.keyboard.down('Enter')
  await phone.keyboard.up('Enter')
  expect(await phone.getByText('Copy').count()).toBe(0)
  const copied = () =>
    subscriber.received('receipt').filter(({ receipt }) => receipt.copiedAt !== null)
  await phone.keyboard.press('Enter')
  await phone.clock.resume()
  await expect.poll(copied).toHaveLength(1)
})

test('a second hold changes no open problem, and reports a new one after "Got it"', async ({
  scene,
  open,
  session,
  driveUrl,
  subscriber,
}) => {
  const phone = await openWithClock(open, scene.leo, driveUrl)
  const answers = new NewAnswers(subscriber)
  const { width, height } = phone.viewportSize() ?? { width: 0, height: 0 }
  await phone.mouse.move(width / 2, height / 3)
  await pauseClock(phone)
  const hold = async () => {
    await phone.mouse.down()
    await phone.clock.runFor(1600)
    await phone.mouse.up()
  }
  await hold()
  const first = await answers.next()
  await expect(phone.getByRole('button', { name: 'Take back: PROBLEM' })).toBeVisible()
  await hold()
  await scene.ana.call.messages.gotIt({ sessionId: session.id, answerId: first.id })
  await advanceUntil(phone, () =>
    expect(phone.getByText('Got it', { exact: true })).toBeVisible({ timeout: 100 }),
  )
  await hold()
  // "Got it" has the second number.
  expect(await answers.next()).toMatchObject({ kind: 'Problem', number: 3 })
  await phone.clock.resume()
})

test('a question stays answered after a problem that is taken back (A5)', async ({
  scene,
  open,
  phone,
  session,
  messageUrl,
  subscriber,
}) => {
  const commandId = crypto.randomUUID()
  const { messages } = scene.ana.call
  await messages.set({ sessionId: session.id, type: 'Pit', ask: true, commandId })
  const answers = new NewAnswers(subscriber)
  await yes(phone).click()
  expect((await answers.next()).kind).toBe('Yes')
  await phone.keyboard.down('p')
  expect((await answers.next()).kind).toBe('Problem')
  await phone.keyboard.up('p')
  await phone.getByRole('button', { name: 'Take back: PROBLEM' }).click()
  expect((await answers.next()).kind).toBe('TakenBack')
  await expect(phone.getByText('TAKEN BACK')).toBeVisible()
  await expect(phone.getByText('TAKEN BACK')).toBeHidden()
  await expect(yes(phone)).toBeHidden()

  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  await expect(boardOf(pit).getByText('On the glass: laps')).toBeVisible()
  await expect(boardOf(pit).getByText('YES', { exact: true })).toBeVisible()
})

test('a long touch on a message neither acknowledges nor, let go early, reports', async ({
  scene,
  open,
  driveUrl,
  send,
  subscriber,
}) => {
  const phone = await openWithClock(open, scene.leo, driveUrl)
  await send('Push')
  await expect(phone.getByRole('alert').getByText('Push')).toBeVisible()
  await phone.mouse.move(200, 300)
  await pauseClock(phone)
  await phone.mouse.down()
  await phone.clock.runFor(1400)
  await expect(phone.getByText('Keep holding: PROBLEM')).toBeVisible()
  await phone.mouse.up()
  await expect(phone.getByText('Keep holding: PROBLEM')).toBeHidden()
  await phone.clock.resume()
  // If the machine pauses for half a second, the tap is a long touch, which does nothing.
  await expect(async () => {
    await phone.mouse.click(200, 300)
    await expect(phone.getByText('Copy')).toBeVisible({ timeout: 1000 })
  }).toPass()
  expect(subscriber.received('answer')).toEqual([])
})

test('a message that arrives during a hold is neither acknowledged nor covered (A6)', async ({
  scene,
  open,
  driveUrl,
  send,
  subscriber,
}) => {
  const phone = await openWithClock(open, scene.leo, driveUrl)
  const answers = new NewAnswers(subscriber)
  const word = (text: string) => phone.getByRole('alert').getByText(text, { exact: true })
  await send('Push')
  await expect(word('Push')).toBeVisible()
  await phone.mouse.move(200, 300)
  await pauseClock(phone)
  await phone.mouse.down()
  await phone.clock.runFor(400)
  await send('Pit')
  await advanceUntil(phone, () => expect(word('Pit')).toBeVisible({ timeout: 100 }))
  // Painted, it could be acknowledged.
  await advanceUntil(phone, async () => {
    const receipts = subscriber.received('receipt').filter(({ version }) => version === 2)
    expect(receipts.some(({ receipt }) => receipt.shownAt !== null)).toBe(true)
  })
  await phone.clock.runFor(1100)
  await phone.mouse.up()
  await phone.clock.resume()
  expect(await answers.next()).toMatchObject({ kind: 'Problem', version: 1 })
  await expect(word('Pit')).toBeVisible()
  const plate = phone.getByRole('button', { name: /Tap to take it back/ })
  await expect(plate).toBeVisible()

  // The plate that was pressed is not the one over the next message.
  const { x = 0, y = 0 } = (await plate.boundingBox()) ?? {}
  await phone.mouse.move(x + 20, y + 20)
  await pauseClock(phone)
  await phone.mouse.down()
  await send('Fuel')
  await advanceUntil(phone, () => expect(word('Fuel')).toBeVisible({ timeout: 100 }))
  await phone.mouse.up()
  await phone.clock.resume()
  await waitForPaint(phone)
  await expect(plate).toBeVisible()
  expect(answers.received()).toEqual([])
  const copied = subscriber.received('receipt').filter(({ receipt }) => receipt.copiedAt !== null)
  expect(copied).toEqual([])
})

test('one key answers Yes, two presses No, held a problem', async ({
  scene,
  open,
  driveUrl,
  session,
  subscriber,
}) => {
  const phone = await openWithClock(open, scene.leo, driveUrl)
  const ask = async () => {
    const commandId = crypto.randomUUID()
    const { messages } = scene.ana.call
    await messages.set({ sessionId: session.id, type: 'Pit', ask: true, commandId })
    await expect(yes(phone)).toBeVisible()
  }
  const answers = new NewAnswers(subscriber)
  const answered = async () => (await answers.next()).kind
  // This clock decides which presses belong together.
  const pressEnter = async (times: number) => {
    await pauseClock(phone)
    for (let press = 0; press < times; press++) await phone.keyboard.press('Enter')
    await phone.clock.resume()
  }
  await ask()
  await pressEnter(1)
  expect(await answered()).toBe('Yes')
  await ask()
  await pressEnter(2)
  expect(await answered()).toBe('No')
  await ask()
  await phone.keyboard.down('Space')
  expect(await answered()).toBe('Problem')
  await phone.keyboard.up('Space')
  await ask()
  await phone.keyboard.press('n')
  expect(await answered()).toBe('No')
})
