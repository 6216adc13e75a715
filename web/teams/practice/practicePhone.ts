import { Channel } from '#client/channel/channel.ts'
import { Driver } from '#client/driver/driver.ts'
import { DriverAnswers } from '#client/driver/driverAnswers.ts'
import { PhoneReporter } from '#client/driver/phoneReporter.ts'
import type { TextStore } from '#client/textStore.ts'
import type { Message } from '#contract/messages.ts'
import { practiceMs } from '#contract/shared/practice.ts'
import { practiceCircuit } from '#racing/practice/practiceCircuit.ts'
import { type PracticeOrder, practiceDrive } from '#racing/practice/practiceDrive.ts'
import { practiceReaction, shownAfterMs } from '#racing/practice/practiceDriver.ts'
import { command } from '#web/api/call.ts'
import { pageClock } from '#web/device/pageClock.ts'
import { liveConnection } from '#web/live/LiveProvider.tsx'

interface Options {
  /** The signed-in user, who has started the practice car. */
  userId: string
  sessionId: string
  /** Called once when the practice car has ended, or another tab drives it. */
  onEnd: () => void
}

const fixIntervalMs = 1000
/** Typical accuracy of a phone on a windscreen. */
const accuracyM = 4

/** Drives the practice car as a phone does. Call the result to stop. */
export function playPractice({ userId, sessionId, onEnd }: Options): () => void {
  const { channel, driver, answers, phone } = phoneOf(userId, sessionId)
  const drive = practiceDrive(practiceCircuit)
  const orders: PracticeOrder[] = []
  const undo: (() => void)[] = []
  let isOver = false
  const stop = () => {
    isOver = true
    for (const each of undo.splice(0)) each()
  }
  const end = () => {
    if (isOver) return
    stop()
    onEnd()
  }
  /** Time since the start of the session, by the server's clock; null before it is known. */
  const drivenMs = () => {
    const { session } = channel.session(sessionId)
    return session && channel.clock.isSynchronized ? channel.clock.now() - session.startedAt : null
  }
  const react = reactionsTo(({ message, act, obeys }) => {
    if (act === 'copy') driver.message.copy()
    if (act === 'yes') answers.give('Yes', message.version)
    const { session } = channel.session(sessionId)
    if (obeys === undefined || !session) return
    // A message that was acknowledged before a reload is obeyed from then on.
    const at = message.copiedAt ?? channel.clock.now()
    orders.push({ type: obeys, fromMs: at - session.startedAt })
  })
  const tick = () => {
    const atMs = drivenMs()
    if (atMs === null) return
    if (atMs < practiceMs)
      channel.sendFix({ at: channel.clock.now(), ...drive(atMs, orders), accuracyM })
    else {
      end()
      // If that fails, the server ends it by itself.
      command('sessions.end', { sessionId }).catch((error: unknown) => reportError(error))
    }
  }
  phone.setGps('good')
  phone.report('shown')
  undo.push(
    pageClock.every(fixIntervalMs, tick),
    driver.message.onChange(() => {
      const { message, isWithheld } = driver.message.state
      if (message && !isWithheld) react(message, () => driver.message.painted(message.version))
    }),
    channel.onConnectionState(() => {
      if (channel.connectionState.status === 'closed') end()
    }),
    channel.follow(sessionId, () => {
      if (channel.session(sessionId).session?.status === 'Complete') end()
    }),
    driver.start(),
    answers.start(),
    driver.drive(() => end()),
    () => react(null),
    () => channel.stop(),
  )
  channel.start()
  return stop
}

/**
 * Returns a phone with a connection of its own, which stores nothing in this browser: the data of the phone in a real car
 * stay untouched.
 */
function phoneOf(userId: string, sessionId: string) {
  const store = memoryStore()
  const report = (problem: string) => reportError(new Error(problem))
  const channel = new Channel({
    ...liveConnection(),
    userId,
    store,
    tabStore: memoryStore(),
    clock: pageClock,
    random: Math.random,
    report,
  })
  const driver = new Driver({ channel, sessionId, clock: pageClock, store, isVisible: () => true })
  const newId = () => crypto.randomUUID()
  const answers = new DriverAnswers({ channel, sessionId, store, newId, report })
  return { channel, driver, answers, phone: new PhoneReporter(channel) }
}

type Reaction = ReturnType<typeof practiceReaction> & { message: Message }

/**
 * Returns a function that paints each new version of the message, and then reacts to it, unless another one comes first.
 * Null cancels.
 */
function reactionsTo(act: (reaction: Reaction) => void) {
  let version = 0
  let cancel = () => {}
  return (message: Message | null, paint: () => void = () => {}) => {
    if (message?.version === version) return
    cancel()
    if (!message || message.version === 0) return
    version = message.version
    const { afterMs, ...reaction } = practiceReaction(message)
    cancel = pageClock.after(shownAfterMs, () => {
      paint()
      cancel = pageClock.after(afterMs, () => act({ ...reaction, afterMs, message }))
    })
  }
}

function memoryStore(): TextStore {
  const texts = new Map<string, string>()
  return {
    read: key => texts.get(key) ?? null,
    write: (key, text) => void texts.set(key, text),
    remove: key => void texts.delete(key),
  }
}
