import { expect, type Page } from '@playwright/test'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { messageColours } from '../messageColours.ts'
import {
  dotOf,
  fillOf,
  landscape,
  outlineOf,
  pauseClock,
  phoneOptions,
  portrait,
  red,
  waitForPaint,
  wordOn,
} from './driveScreen.ts'

// spec: DR-2 DR-4 DR-5 DR-6 DR-7 DR-8 DR-9 DR-10 DR-11 DR-21
test('each message fills the screen in its colour, larger in landscape', async ({
  phone,
  send,
}) => {
  for (const type of messageTypes) {
    await send(type)
    const word = wordOn(phone)
    await expect(word).toHaveText(type)
    await expect.poll(() => outlineOf(word)).toBe(messageColours[type])
    await phone.setViewportSize(portrait)
    await expect.poll(() => phone.evaluate(() => innerWidth)).toBe(portrait.width)
    const portraitPx = await fontSizePx(phone)
    await phone.setViewportSize(landscape)
    await expect.poll(() => fontSizePx(phone)).toBeGreaterThan(portraitPx)
    // The longest message has at least a third of the screen's height in landscape, a tenth in portrait.
    expect(portraitPx).toBeGreaterThan(portrait.height / 10)
    await expect.poll(() => fontSizePx(phone)).toBeGreaterThan(landscape.height / 3)
  }
})

// spec: DR-3 DR-27
test('a message flashes between solid and hollow every 500 ms, starting solid', async ({
  scene,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.clock.install()
  await phone.goto(driveUrl)
  await send('Pit')
  await expect(wordOn(phone)).toHaveText('Pit')
  await pauseClock(phone)

  let before = await fillOf(wordOn(phone))
  for (let toggles = 0; toggles < 6; toggles++) {
    await phone.clock.runFor(500)
    const after = await fillOf(wordOn(phone))
    expect(after).not.toBe(before)
    before = after
  }

  if (before === 'solid') await phone.clock.runFor(500)
  expect(await fillOf(wordOn(phone))).toBe('hollow')
  await send('Push')
  await expect(wordOn(phone)).toHaveText('Push')
  expect(await fillOf(wordOn(phone))).toBe('solid')
  await phone.clock.runFor(499)
  expect(await fillOf(wordOn(phone))).toBe('solid')
  await phone.clock.runFor(1)
  expect(await fillOf(wordOn(phone))).toBe('hollow')
})

// spec: DR-27
test('with reduced motion message and dot do not flash', async ({
  scene,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(scene.leo, { ...phoneOptions, reducedMotion: 'reduce' })
  await phone.clock.install()
  await phone.goto(driveUrl)
  await send('Abort')
  await expect(wordOn(phone)).toHaveText('Abort')
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()
  await pauseClock(phone)
  for (let half = 0; half < 4; half++) {
    await phone.clock.runFor(250)
    expect(await fillOf(wordOn(phone))).toBe('solid')
    expect((await dotOf(phone)).backgroundColor).toBe(red)
  }
})

// spec: DR-28
test('a tap, Enter or Space acknowledges: Copy for 2 s and a solid message', async ({
  scene,
  open,
  driveUrl,
  send,
  subscriber,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.clock.install()
  await phone.goto(driveUrl)
  const acknowledge = [
    () => phone.getByRole('main').tap(),
    () => phone.keyboard.press('Enter'),
    () => phone.keyboard.press('Space'),
  ]
  for (const [index, act] of acknowledge.entries()) {
    // The same type sent again is a new message and flashes.
    await send('Push')
    const version = index + 1
    await expect(phone.locator(`[data-version="${version}"]`)).toBeVisible()
    await waitForPaint(phone)
    await pauseClock(phone)
    if ((await fillOf(wordOn(phone))) === 'solid') await phone.clock.runFor(500)
    expect(await fillOf(wordOn(phone))).toBe('hollow')
    await act()
    await expect(phone.getByText('Copy')).toBeVisible()
    await subscriber.next(
      'receipt',
      frame => frame.version === version && frame.receipt.copiedAt !== null,
    )
    await phone.clock.runFor(1900)
    await expect(phone.getByText('Copy')).toBeVisible()
    expect(await fillOf(wordOn(phone))).toBe('solid')
    await expect(phone.locator('html')).toHaveAttribute('data-phase', 'a')
    await phone.clock.runFor(200)
    await expect(phone.getByText('Copy')).toBeHidden()
    expect(await fillOf(wordOn(phone))).toBe('solid')
    await phone.clock.resume()
  }
})

// spec: DR-31
test("the message stays after a reload, and on the driver's second phone", async ({
  scene,
  open,
  driveUrl,
  phone,
  send,
}) => {
  await send('FCY')
  await expect(wordOn(phone)).toHaveText('FCY')
  await phone.reload()
  await expect(wordOn(phone)).toHaveText('FCY')

  const spare = await open(scene.leo, phoneOptions)
  await spare.goto(driveUrl)
  await expect(wordOn(spare)).toHaveText('FCY')
  await expect(phone.getByText('driven on another device')).toBeVisible()
  await waitForPaint(spare)
  await spare.getByRole('main').tap()
  await expect(spare.getByText('Copy')).toBeVisible()
  // A message acknowledged on one phone does not flash on the other.
  await phone.getByRole('button', { name: 'Drive here' }).tap()
  await expect(wordOn(phone)).toHaveText('FCY')
  await expect(phone.locator('html')).toHaveAttribute('data-phase', 'a')
  await expect.poll(() => fillOf(wordOn(phone))).toBe('solid')
})

async function fontSizePx(phone: Page): Promise<number> {
  return wordOn(phone).evaluate(word => Number.parseFloat(getComputedStyle(word).fontSize))
}
