import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { checkedSizes } from '../screens/layoutFaults.ts'
import { advanceUntil, landscape, openWithClock, pauseClock, portrait } from './driveScreen.ts'

const takeBack = 'Take back: PROBLEM'
const pitThisLap = 'Tap to add I PIT THIS LAP'

test('a tap anywhere takes a problem back, except on I PIT THIS LAP', async ({
  scene,
  session: { id: sessionId },
  open,
  driveUrl,
}) => {
  const phone = await openWithClock(open, scene.leo, driveUrl)
  await report(phone)
  await expectTaps(phone, [pitThisLap, takeBack])
  const { messages, sessions } = scene.ana.call
  const { problem } = await sessions.get({ sessionId })
  // "Got it" fills the screen for ten seconds of this clock.
  await pauseClock(phone)
  await messages.gotIt({ sessionId, answerId: problem?.id ?? '' })
  await advanceUntil(phone, () =>
    expect(phone.getByText('Got it', { exact: true })).toBeVisible({ timeout: 100 }),
  )
  await expectTaps(phone, [pitThisLap, takeBack])
  await phone.setViewportSize(portrait)
  await phone.getByRole('button', { name: pitThisLap }).tap()
  await expect(phone.getByRole('button', { name: pitThisLap })).toHaveCount(0)
  await expectTaps(phone, [takeBack])
  await phone.setViewportSize(landscape)
  await expect.poll(() => phone.evaluate(() => innerWidth)).toBe(landscape.width)
  await phone.touchscreen.tap(landscape.width / 2, landscape.height / 2)
  await expect(phone.getByText('TAKEN BACK')).toBeVisible()
})

async function report(phone: Page) {
  await phone.keyboard.down('p')
  await expect(phone.getByText('Sent, no answer yet').first()).toBeVisible()
  await phone.keyboard.up('p')
}

/** Expects that at each size all places of the screen belong to these buttons. */
async function expectTaps(phone: Page, buttons: string[]) {
  for (const size of checkedSizes) {
    await phone.setViewportSize(size)
    await expect.poll(() => phone.evaluate(() => innerWidth)).toBe(size.width)
    const tapped = await phone.evaluate(() => {
      const names = new Set<string>()
      for (let x = 4; x < innerWidth; x += 20)
        for (let y = 4; y < innerHeight; y += 20) {
          const button = document.elementFromPoint(x, y)?.closest('button')
          names.add(button?.ariaLabel ?? button?.textContent ?? `nothing at ${x}, ${y}`)
        }
      return [...names]
    })
    expect(tapped.toSorted()).toEqual(buttons.toSorted())
  }
}
