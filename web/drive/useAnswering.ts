import {
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { answerTo, isReply } from '#client/channel/sessionAnswers.ts'
import type { Driver } from '#client/driver/driver.ts'
import { DriverAnswers, type GivenAnswer } from '#client/driver/driverAnswers.ts'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import type { AnswerKind } from '#contract/answers.ts'
import { fillsGlass, pitThisLap, problemState } from '#contract/shared/problem.ts'
import { afterPaint } from '#web/device/painted.ts'
import { playTone, wantsSound } from '#web/device/sound.ts'
import { textStore } from '#web/device/textStore.ts'
import { vibrate } from '#web/device/vibrate.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useServerClock } from '#web/live/useLive.ts'
import { onSecond } from '#web/live/useSecond.ts'
import { useAnswerInputs } from './useAnswerInputs.ts'
import type { StopOnGlass } from './useGlass.ts'
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
  /** False while Get ready is open, or another phone is in the car. */
  readonly enabled: boolean
  readonly stop: StopOnGlass
  readonly acknowledge: () => void
}

/** State of the answers on the drive screen. */
export interface AnsweringState {
  /** Content of the whole screen: the given answer, the reported problem, or the question; null for none. */
  readonly view: 'answer' | 'problem' | 'question' | null
  /** The answer or the problem that fills the screen. */
  readonly given: GivenAnswer | null
  /** A problem, or an unsent answer, above what fills the screen. */
  readonly plate: GivenAnswer | null
  /** The current question is answered: the screen is free again. */
  readonly isAnswered: boolean
  /** True if PIT THIS LAP can be added to the problem. */
  readonly offersPit: boolean
  /** PIT THIS LAP while the team sees it, or before the server has it; null otherwise. */
  readonly addedPit: GivenAnswer | null
  readonly isHeld: boolean
  readonly give: (kind: AnswerKind) => void
}

/** The answers of the driver, and how long each is on the screen. A message always wins. */
export function useAnswering(options: Options): AnsweringState {
  const { driver, shown, surface, enabled, stop, acknowledge } = options
  const answers = useDriverAnswers(options.sessionId)
  const {
    newest,
    problem: reported,
    reply,
  } = useSyncExternalStore(
    listener => answers.onChange(listener),
    () => answers.state,
  )
  const [last, setLast] = useState<{ id: string; version: number } | null>(null)
  const { message, isWithheld } = shown
  const version = message?.version ?? 0
  const isQuestion = message?.ask === true && !isWithheld
  const isAnswered = isQuestion && answerTo(version, reply) !== null
  const isAsked = isQuestion && !isAnswered
  const hasMessage = message?.type != null && !isWithheld && !isAnswered
  const { problem, isOpen, fills } = useProblem(reported, stop)
  const pit = useAddedPit(newest, stop)
  const given =
    !hasMessage && last && newest?.id === last.id && last.version === version ? newest : null

  function give(kind: AnswerKind, to = version) {
    if (kind === 'Problem' && isOpen) return
    // Yes or No shows that the driver has seen the question; a report states nothing about the message.
    if (isReply({ kind })) driver.message.copy()
    const id = answers.give(kind, to)
    // The screen of the problem confirms these two itself.
    setLast(kind === 'Problem' || kind === 'PitThisLap' ? null : { id, version: to })
    if (wantsSound()) playTone()
    vibrate(confirmMs)
  }
  const isHeld = useHold(surface, { enabled, version, onHold: to => give('Problem', to) })
  useAnswerInputs({
    isAsked,
    version,
    enabled,
    onYes: () => give('Yes'),
    onNo: () => give('No'),
    onProblem: () => give('Problem'),
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

  const full = hasMessage || !fills || !enabled ? null : problem
  const unsent = newest && !newest.isStored ? newest : null
  const mayPit = problem !== null && !stop.isInPits && !stop.isRaceOver
  return {
    view: given ? 'answer' : full ? 'problem' : isAsked ? 'question' : null,
    given: given ?? full,
    plate: given || full || !enabled ? null : (problem ?? unsent),
    isAnswered,
    offersPit: mayPit && !pit,
    addedPit: mayPit ? pit : null,
    isHeld: isHeld && !isOpen,
    give,
  }
}

/** Returns the reported problem until it ends, as on the team's screens, and whether it may fill the screen. */
function useProblem(
  reported: GivenAnswer | null,
  stop: StopOnGlass,
): { problem: GivenAnswer | null; isOpen: boolean; fills: boolean } {
  const now = useServerClock()
  const state = useSyncExternalStore(onSecond, () => problemState(reported, stop.exitedAt, now()))
  const fills = useSyncExternalStore(onSecond, () => fillsGlass(reported, stop, now()))
  return { problem: state && reported, isOpen: state === 'open', fills }
}

/** Returns PIT THIS LAP until it ends on the team's screens; null otherwise. */
function useAddedPit(newest: GivenAnswer | null, { exitedAt }: StopOnGlass): GivenAnswer | null {
  const now = useServerClock()
  const isAdded = useSyncExternalStore(onSecond, () => pitThisLap(newest, exitedAt, now()) !== null)
  return isAdded ? newest : null
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
