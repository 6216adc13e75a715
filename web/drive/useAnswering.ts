import {
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { answerTo } from '#client/channel/sessionAnswers.ts'
import type { Driver } from '#client/driver/driver.ts'
import { DriverAnswers, type GivenAnswer } from '#client/driver/driverAnswers.ts'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import type { AnswerKind } from '#contract/answers.ts'
import { afterPaint } from '#web/device/painted.ts'
import { playTone, wantsSound } from '#web/device/sound.ts'
import { textStore } from '#web/device/textStore.ts'
import { vibrate } from '#web/device/vibrate.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useAnswerInputs } from './useAnswerInputs.ts'
import { useHold } from './useHold.ts'

/** How long an answer fills the screen once the team has it, and how long without a network. */
const storedShownMs = 3000
const unsentShownMs = 10_000

const confirmMs = 120

interface Options {
  readonly driver: Driver
  readonly sessionId: string
  readonly shown: DriverMessageState
  /** The screen with the flag above it: a finger may rest anywhere. */
  readonly surface: RefObject<HTMLElement | null>
  /** False while the checks before the start are open. */
  readonly enabled: boolean
  /** True while the car is in the pits: a problem is then a plate, because the stop clock needs the screen. */
  readonly isInPits: boolean
  readonly acknowledge: () => void
}

/** State of the answers on the drive screen. */
export interface AnsweringState {
  /** Content of the whole screen: the given answer, the reported problem, or the question; null for none. */
  readonly view: 'answer' | 'problem' | 'question' | null
  /** The answer or the problem that fills the screen. */
  readonly given: GivenAnswer | null
  /** A problem or an unsent answer that a message or the stop clock covers. */
  readonly plate: GivenAnswer | null
  /** The current question is answered: the screen is free again. */
  readonly isAnswered: boolean
  /** True if PIT THIS LAP can be added to the problem. */
  readonly offersPit: boolean
  /** PIT THIS LAP, once it was added; null before. */
  readonly addedPit: GivenAnswer | null
  readonly isHeld: boolean
  readonly give: (kind: AnswerKind) => void
}

/** The answers of the driver, and how long each is on the screen. A message always wins. */
export function useAnswering(options: Options): AnsweringState {
  const { driver, shown, surface, enabled, isInPits, acknowledge } = options
  const answers = useDriverAnswers(options.sessionId)
  const { newest, problem, reply } = useSyncExternalStore(
    listener => answers.onChange(listener),
    () => answers.state,
  )
  const [last, setLast] = useState<{ id: string; version: number } | null>(null)
  const { message, isWithheld } = shown
  const version = message?.version ?? 0
  const isQuestion = message?.ask === true && !isWithheld
  const isAnswered = isQuestion && answerTo(version, newest, reply) !== null
  const isAsked = isQuestion && !isAnswered
  const given = last && newest?.id === last.id && last.version === version ? newest : null

  function give(kind: AnswerKind, to = version) {
    // Any answer shows the team that the driver has seen the message, but not one that came while the finger was down.
    if (to === version) driver.message.copy()
    const id = answers.give(kind, to)
    // The screen of the problem confirms these two itself.
    setLast(kind === 'Problem' || kind === 'PitThisLap' ? null : { id, version: to })
    if (wantsSound()) playTone()
    vibrate(confirmMs)
  }
  const report = (to = version) => {
    if (problem?.version !== to) give('Problem', to)
  }
  const isHeld = useHold(surface, { enabled, version, onHold: report })
  useAnswerInputs({
    isAsked,
    version,
    enabled,
    onYes: () => give('Yes'),
    onNo: () => give('No'),
    onProblem: () => report(),
    acknowledge,
  })
  const shownId = given?.id
  const isStored = given?.isStored
  useEffect(() => {
    if (shownId === undefined) return
    const timer = setTimeout(() => setLast(null), isStored ? storedShownMs : unsentShownMs)
    return () => clearTimeout(timer)
  }, [shownId, isStored])
  // Only now is the question on the screen.
  useLayoutEffect(() => {
    if (isAsked) return afterPaint(() => driver.message.painted(version))
  }, [driver, isAsked, version])

  const fills = problem?.version === version && !isInPits ? problem : null
  const unsent = newest && !newest.isStored && !given ? newest : null
  return {
    view: given ? 'answer' : fills ? 'problem' : isAsked ? 'question' : null,
    given: given ?? fills,
    plate: fills || given ? null : (problem ?? unsent),
    isAnswered,
    offersPit: problem !== null && newest?.kind !== 'PitThisLap',
    addedPit: newest?.kind === 'PitThisLap' ? newest : null,
    isHeld,
    give,
  }
}

function useDriverAnswers(sessionId: string): DriverAnswers {
  const channel = useChannel()
  const answers = useMemo(
    () =>
      new DriverAnswers({
        channel,
        sessionId,
        store: textStore,
        newId: () => crypto.randomUUID(),
        report: problem => reportError(new Error(problem)),
      }),
    [channel, sessionId],
  )
  useEffect(() => answers.start(), [answers])
  return answers
}
