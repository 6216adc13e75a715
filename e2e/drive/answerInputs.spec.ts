import { expect, type Page } from '@playwright/test'
import type { MessageType } from '#contract/messages.ts'
import type { Person } from '#testing/people/person.ts'
import { test } from '../fixtures.ts'
import { pauseClock, phoneOptions, pressDrive, waitForPaint } from './driveScreen.ts'
import { NewAnswers } from './newAnswers.ts'

/** Inputs that a headless browser lacks, and the tones that the page plays. */
interface Inputs {
  /** Handlers that the page has registered with the Media Session. */
  readonly media: Partial<Record<MediaSessionAction, () => void>>
  /** The one button of the gamepad. */
  isDown: boolean
  tones: number
}

declare global {
  interface Window {
    readonly inputs: Inputs
  }
}

/** Replaces headset and gamepad by `window.inputs`. Call it before the page opens. */
async function fakeInputs(phone: Page) {
  await phone.addInitScript(() => {
    const inputs: Inputs = { media: {}, isDown: false, tones: 0 }
    Object.assign(window, { inputs })
    localStorage.setItem('pitboard.mediaButton', 'on')
    MediaSession.prototype.setActionHandler = (action, handler) => {
      if (handler) inputs.media[action] = () => handler({ action })
      else delete inputs.media[action]
    }
    navigator.getGamepads = () => [
      { buttons: [{ pressed: inputs.isDown, touched: false, value: 0 }] } as unknown as Gamepad,
    ]
    const make = AudioContext.prototype.createOscillator
    AudioContext.prototype.createOscillator = function (this: AudioContext) {
      inputs.tones += 1
      return make.call(this)
    }
  })
}

function pressHeadset(phone: Page, action: MediaSessionAction): Promise<void> {
  return phone.evaluate(name => window.inputs.media[name]?.(), action)
}

function setPad(phone: Page, isDown: boolean): Promise<void> {
  return phone.evaluate(down => {
    window.inputs.isDown = down
  }, isDown)
}

/**
 * Presses the gamepad's button this many times, for 80 ms of the page's paused clock each: the page polls it every
 * 40 ms.
 */
async function pressPad(phone: Page, times: number) {
  for (let press = 0; press < times; press++)
    for (const down of [true, false]) {
      await setPad(phone, down)
      await phone.clock.runFor(80)
    }
}

/** Opens the drive screen with these inputs, and unlocks sound and headset by a tap. */
async function openPhone(
  open: (user: Person, options: typeof phoneOptions) => Promise<Page>,
  leo: Person,
  driveUrl: string,
) {
  const phone = await open(leo, phoneOptions)
  await phone.clock.install()
  await fakeInputs(phone)
  await phone.goto(`${driveUrl}?checks`)
  await pressDrive(phone)
  await expect
    .poll(() => phone.evaluate(() => Object.keys(window.inputs.media).sort()))
    .toEqual(['nexttrack', 'pause', 'play', 'previoustrack'])
  return phone
}

const tonesOf = (phone: Page) => phone.evaluate(() => window.inputs.tones)

test('a headset answers Yes, No and Problem, and acknowledges an order', async ({
  scene,
  open,
  driveUrl,
  session,
  subscriber,
}) => {
  const phone = await openPhone(open, scene.leo, driveUrl)
  const answers = new NewAnswers(subscriber)
  const send = (type: MessageType, ask: boolean) =>
    scene.ana.call.messages.set({
      sessionId: session.id,
      type,
      ask,
      commandId: crypto.randomUUID(),
    })

  for (const [action, kind, word] of [
    ['play', 'Yes', 'YES'],
    ['pause', 'Yes', 'YES'],
    ['nexttrack', 'No', 'NO'],
    ['previoustrack', 'Problem', 'PROBLEM'],
  ] as const) {
    const { version } = await send('Pit', true)
    await expect(phone.getByRole('button', { name: 'Yes, to Pit?' })).toBeVisible()
    const before = await tonesOf(phone)
    // The answer is shown for three seconds of this clock.
    await pauseClock(phone)
    await pressHeadset(phone, action)
    await phone.clock.runFor(500)
    expect(await answers.next()).toMatchObject({ kind, version, question: { type: 'Pit' } })
    await expect(phone.getByText(word, { exact: true }).first()).toBeVisible()
    await expect(phone.getByText(stored(kind)).first()).toBeVisible()
    await expect.poll(() => tonesOf(phone)).toBeGreaterThan(before)
    await phone.clock.resume()
  }

  await send('Push', false)
  await expect(phone.getByRole('alert').getByText('Push')).toBeVisible()
  await waitForPaint(phone)
  await pressHeadset(phone, 'pause')
  await expect(phone.getByText('Copy')).toBeVisible()
  expect(answers.received()).toEqual([])
})

test('a gamepad answers by one press, two presses, and held', async ({
  scene,
  open,
  driveUrl,
  session,
  subscriber,
}) => {
  const phone = await openPhone(open, scene.leo, driveUrl)
  const answers = new NewAnswers(subscriber)
  const send = (type: MessageType, ask: boolean) =>
    scene.ana.call.messages.set({
      sessionId: session.id,
      type,
      ask,
      commandId: crypto.randomUUID(),
    })
  const ask = async () => {
    await send('Pit', true)
    await expect(phone.getByRole('button', { name: 'Yes, to Pit?' })).toBeVisible()
    // This clock decides which presses belong together, and how long answers are shown.
    await pauseClock(phone)
    return tonesOf(phone)
  }
  const expectAnswer = async (kind: 'Yes' | 'No' | 'Problem', tones: number) => {
    expect((await answers.next()).kind).toBe(kind)
    await expect(phone.getByText(kind.toUpperCase(), { exact: true }).first()).toBeVisible()
    await expect(phone.getByText(stored(kind)).first()).toBeVisible()
    await expect.poll(() => tonesOf(phone)).toBeGreaterThan(tones)
    await phone.clock.resume()
  }

  let tones = await ask()
  await pressPad(phone, 1)
  await phone.clock.runFor(500)
  await expectAnswer('Yes', tones)
  tones = await ask()
  await pressPad(phone, 2)
  await phone.clock.runFor(500)
  await expectAnswer('No', tones)

  await send('Push', false)
  await expect(phone.getByRole('alert').getByText('Push')).toBeVisible()
  await waitForPaint(phone)
  await pauseClock(phone)
  await pressPad(phone, 1)
  await expect(phone.getByText('Copy')).toBeVisible()
  await phone.clock.resume()

  tones = await ask()
  await setPad(phone, true)
  await phone.clock.runFor(2000)
  await expectAnswer('Problem', tones)
  await setPad(phone, false)
  expect(answers.received()).toEqual([])
})

/** Returns what the driver's screen shows about an answer that the server has. */
function stored(kind: 'Yes' | 'No' | 'Problem') {
  return kind === 'Problem' ? 'Sent, no answer yet' : /^Sent$/
}
