import { expect, test } from 'vitest'
import { noMessage } from '#client/channel/messageState.ts'
import { ServerClock } from '#client/serverClock.ts'
import type { Message, MessageType } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { testClock } from '#testing/clock.ts'
import { responseTimeoutMs } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import type { Press } from './delivery.ts'
import { type Failed, Presses, validUntil } from './presses.ts'

test('presses are sent one at a time; only the newest later one is queued', async () => {
  const { presses, requests, close } = scene()
  for (const type of ['Pit', 'Fuel', 'Go']) presses.press(pressOf(type), 7)
  close()
  expect(requests.map(({ press }) => press.type)).toEqual(['Pit'])
  expect(presses.state.pending?.type).toBe('Go')

  await requests[0]!.respond()
  expect(requests.map(({ press }) => press.type)).toEqual(['Pit', 'Go'])
  await requests[1]!.respond()
  expect(presses.state).toEqual({ pending: null, failed: null })
})

test('a press on a later screen replaces the one that an earlier screen queued', async () => {
  const { presses, requests, close, unseen } = scene()
  presses.press(pressOf('Pit'), 7)
  presses.press(pressOf('Fuel'), 7)
  close()
  presses.openScreen()
  presses.press(pressOf('Go'), 7)

  await requests[0]!.fail()
  expect(requests.map(({ press }) => press.type)).toEqual(['Pit', 'Go'])
  await requests[1]!.respond()
  expect(presses.state).toEqual({ pending: null, failed: null })
  expect(unseen).toEqual([])
})

test('a press that fails on an open screen is in its state, until the next press', async () => {
  const { presses, requests, unseen } = scene()
  presses.press(pressOf('Pit'), 7)
  await requests[0]!.fail()
  expect(presses.state.pending).toBeNull()
  expect(presses.state.failed).toMatchObject({ press: { type: 'Pit' }, afterVersion: 7 })
  expect(unseen).toEqual([])

  presses.press(pressOf('Go'), 7)
  expect(presses.state).toMatchObject({ pending: { type: 'Go' }, failed: null })
})

test('a press that fails without a screen is reported and kept for the next one', async () => {
  const { presses, requests, close, unseen } = scene()
  presses.press(pressOf('Pit'), 7)
  close()
  await requests[0]!.fail()
  expect(presses.state.failed?.press.type).toBe('Pit')
  expect(unseen).toEqual([{ failed: presses.state.failed, session: 'Leo' }])
})

test('a press sent without a screen is compared with the newest version', async () => {
  const { presses, requests, close } = scene()
  presses.press(pressOf('Pit'), 7)
  presses.press(pressOf('Go'), 7)
  close()
  await requests[0]!.respond(8)
  await requests[1]!.fail()
  expect(presses.state.failed).toMatchObject({ press: { type: 'Go' }, afterVersion: 8 })
})

test('a press supersedes the failed ones before it, until there is a response (M4)', async () => {
  const { presses, requests } = scene()
  const sent = () => requests.map(({ press, supersedes }) => [press.type, ...supersedes])
  presses.press(pressOf('Go'), 7)
  await requests[0]!.fail()
  presses.press(pressOf('Pit'), 7)
  await requests[1]!.fail()
  // Retried under its own command.
  presses.press(pressOf('Pit'), 7)
  await requests[2]!.fail()
  presses.press(pressOf('Fuel'), 7)
  await requests[3]!.respond()
  presses.press(pressOf('Easy'), 8)
  expect(sent()).toEqual([['Go'], ['Pit', 'Go'], ['Pit', 'Go'], ['Fuel', 'Go', 'Pit'], ['Easy']])
})

test('a press is valid until its page shows it as failed, by the server’s clock (M4)', () => {
  const clock = new ServerClock(testClock)
  expect(validUntil(clock)).toBeUndefined()
  const sentAt = clock.request()
  clock.addSample(testClock.now() + 60_000, sentAt, testClock.monotonicMs())
  expect(validUntil(clock)).toBeGreaterThan(testClock.now() + 60_000 + responseTimeoutMs)
})

test('the message of another phone of the car is no version of this session', async () => {
  const { presses, requests } = scene()
  presses.press(pressOf('Pit'), 3)
  await requests[0]!.respondByOther()
  presses.press(pressOf('Go'), 3)
  await requests[1]!.fail()
  expect(presses.state.failed?.afterVersion).toBe(3)
})

test('a press supersedes those without a response to the other phones of its car (M4)', async () => {
  const all: Presses[] = []
  const [first, next, other] = [scene('17', all), scene('17', all), scene('44', all)]
  other.presses.press(pressOf('Easy'), 0)
  // The phone that was in the car: one failed, one hangs, one is queued.
  first.presses.press(pressOf('Push'), 0)
  await first.requests[0]!.fail()
  for (const type of ['Pit', 'Go'] as const) first.presses.press(pressOf(type), 0)
  next.presses.press(pressOf('FCY'), 0)
  next.presses.press(pressOf('SC'), 0)
  first.presses.press(pressOf('Abort'), 0)
  // Newer presses are not superseded, also by one that was queued.
  await next.requests[0]!.respond()
  await first.requests[1]!.fail()
  const sent = ({ requests }: ReturnType<typeof scene>) =>
    requests.map(({ press, supersedes }) => [press.type, ...supersedes])
  expect(sent(next)).toEqual([
    ['FCY', 'Push', 'Pit', 'Go'],
    ['SC', 'Push', 'Pit', 'Go'],
  ])
  expect(sent(first).at(-1)).toEqual(['Abort', 'Push', 'Pit', 'FCY', 'SC'])
  expect(sent(other)).toEqual([['Easy']])
})

interface Request {
  readonly press: Press
  readonly supersedes: readonly string[]
  readonly respond: (version?: number) => Promise<void>
  /** Another phone took over the car before the press arrived. */
  readonly respondByOther: () => Promise<void>
  readonly fail: () => Promise<void>
}

/** Presses to a session that an open screen follows. */
function scene(carId = '17', others: Presses[] = []) {
  const requests: Request[] = []
  const unseen: { failed: Failed; session: string | undefined }[] = []
  const driver = { name: 'Leo' }
  const followed = { currentDriver: driver, car: { id: carId, number: carId } } as Session
  let session: Session | null = followed
  const presses = new Presses({
    send: (press, supersedes) =>
      new Promise((resolve, reject) => {
        requests.push({
          press,
          supersedes,
          respondByOther: () => settled(() => resolve(null)),
          respond: version => settled(() => resolve(messageOf(version ?? 8))),
          fail: () => settled(() => reject(new CallRefused({ code: 'unreachable' }))),
        })
      }),
    session: () => session,
    others: () => others,
    onUnseenFailure: (failed, known) =>
      unseen.push({ failed, session: known?.currentDriver?.name }),
  })
  others.push(presses)
  const closeScreen = presses.openScreen()
  const close = () => {
    closeScreen()
    session = null
  }
  return { presses, requests, unseen, close }
}

/** Settles a response and lets the code that awaits it run. */
async function settled(settle: () => void) {
  settle()
  await new Promise(resolve => setImmediate(resolve))
}

function pressOf(type: MessageType): Press {
  return { type, ask: false, pressedAt: { at: 0 }, commandId: type }
}

function messageOf(version: number): Message {
  return { ...noMessage, version }
}
