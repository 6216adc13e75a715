import { expect, type Page } from '@playwright/test'
import { messageTypes } from '#contract/messageTypes.ts'
import {
  fillOf,
  outlineOf,
  pauseClock,
  phoneOptions,
  test,
  turned,
  upright,
  waitForPaint,
  wordOn,
} from './driveFixture.ts'
import { dotOf, red } from './driveScreen.ts'

/** `--msg-*` of `web/ui/tokens.css`: teal, green, blue, yellow, orange, light yellow twice, red. */
const colours: Record<(typeof messageTypes)[number], string> = {
  Easy: 'rgb(23, 190, 196)',
  Go: 'rgb(43, 227, 111)',
  Push: 'rgb(70, 153, 255)',
  Pit: 'rgb(255, 216, 20)',
  Fuel: 'rgb(255, 139, 31)',
  FCY: 'rgb(255, 245, 184)',
  SC: 'rgb(255, 245, 184)',
  Abort: 'rgb(255, 79, 69)',
}

// spec: DR-2 DR-4 DR-5 DR-6 DR-7 DR-8 DR-9 DR-10 DR-11 DR-21
test('each message fills the screen in its colour, larger in landscape', async ({
  phone,
  send,
}) => {
  for (const type of messageTypes) {
    await send(type)
    const word = wordOn(phone)
    await expect(word).toHaveText(type)
    expect(await outlineOf(word)).toBe(colours[type])
    await phone.setViewportSize(upright)
    const portraitPx = await fontSizePx(phone)
    await phone.setViewportSize(turned)
    await expect.poll(() => fontSizePx(phone)).toBeGreaterThan(portraitPx)
    // Huge: at least a third of the screen's height for the longest word, upright a tenth.
    expect(portraitPx).toBeGreaterThan(upright.height / 10)
    expect(await fontSizePx(phone)).toBeGreaterThan(turned.height / 3)
  }
})

// spec: DR-3 DR-27
test('the word turns from solid to hollow and back every 500 ms, and starts solid', async ({
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
test('who wants less motion sees a steady word and a steady dot', async ({
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
  await phone.context().setOffline(true)
  await expect(phone.getByText('Offline')).toBeVisible()
  await pauseClock(phone)
  for (let half = 0; half < 4; half++) {
    await phone.clock.runFor(250)
    expect(await fillOf(wordOn(phone))).toBe('solid')
    expect((await dotOf(phone)).backgroundColor).toBe(red)
  }
})

// spec: DR-28
test('a tap, Enter or Space acknowledges: Copy shows for 2 s and the word stays solid', async ({
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
    // The same message once more is a new one: it flashes again.
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
test('the message is still there after a reload, and on a second phone of the driver, which takes over', async ({
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
  // What the driver acknowledged on one phone needs no answer on the other.
  await phone.getByRole('button', { name: 'Drive here' }).tap()
  await expect(wordOn(phone)).toHaveText('FCY')
  await expect(phone.locator('html')).toHaveAttribute('data-phase', 'a')
  await expect.poll(() => fillOf(wordOn(phone))).toBe('solid')
})

async function fontSizePx(phone: Page): Promise<number> {
  return wordOn(phone).evaluate(word => Number.parseFloat(getComputedStyle(word).fontSize))
}
