import { useEffect, useRef } from 'react'
import type { Answer } from '#contract/answers.ts'
import type { ShownFlag } from '#contract/glass.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { isTooFastForBox } from '#racing/laps/pitExit.ts'
import { ruleOfVisit } from '#racing/race/currentStop.ts'
import { LapBoardView } from '#web/laps/LapBoardView.tsx'
import type { LapBoard } from '#web/laps/lapBoard.ts'
import type { LapsOfCar } from '#web/laps/useCarLaps.ts'
import { pressedAtOf } from '#web/message/delivery.ts'
import { gotItText } from '#web/message/gotItText.ts'
import { StopScreen } from '#web/race/StopScreen.tsx'
import { answersText } from '#web/text/answers.ts'
import { lapsText } from '#web/text/laps.ts'
import { messageText } from '#web/text/message.ts'
import { problemText } from '#web/text/problem.ts'
import { replayText } from '#web/text/replay.ts'
import { tookText } from '#web/ui/ages.ts'
import { FittedWord } from '#web/ui/board/FittedWord.tsx'
import { toneOf } from '#web/ui/board/tone.ts'
import tones from '#web/ui/board/tones.module.css'
import { Word } from '#web/ui/board/Word.tsx'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import glass from './DriverGlass.module.css'
import { firstAnswer, type GlassState, type problemAt } from './glassAt.ts'
import type { Player } from './player.ts'
import type { PositionStore } from './positionStore.ts'
import { ReplayedPhone } from './ReplayedPhone.tsx'
import styles from './ReplayScreen.module.css'

interface Stop extends Pick<GlassState, 'visits' | 'plate'> {
  readonly race: LapsOfCar
}

interface Props {
  /** The driver in the car at this time. */
  driver: string
  player: Player
  store: PositionStore
  /** The message on the driver's screen; null if it is empty. */
  message: LoggedMessage | null
  /** The problem that the driver reports at this time. */
  problem: ReturnType<typeof problemAt>
  /** The laps on the driver's screen; null if it shows none. */
  board: LapBoard | null
  /** The pit stop, which is shown instead of laps; null outside the pits. */
  stop: Stop | null
  time: number
  /** The official flag that was painted last; null if none was. */
  flag: ShownFlag | null
}

/** The driver's screen at the time of the replay. It never flashes. */
export function DriverGlass(props: Props) {
  const { driver, player, store, message, problem, board, stop, time, flag } = props
  const speed = useRef<HTMLElement>(null)
  useEffect(
    () =>
      player.onFrame(time => {
        const kmh = store.at(time)?.speedKmh ?? null
        const text = kmh === null ? '--' : wholeNumber(kmh)
        if (speed.current && speed.current.textContent !== text) speed.current.textContent = text
      }),
    [player, store],
  )
  const speedKmh = store.at(time)?.speedKmh ?? null
  const limitKmh = stop?.race.race?.rules.pitSpeedKmh ?? null
  const isProblem = !message && problem !== null && problem.fills
  const isFitted = isProblem || message?.ask === true || message?.colour !== undefined
  const word = isProblem ? answersText.word('Problem') : message?.type
  return (
    <section className={styles.glass} aria-label={replayText.glass}>
      <h2 className={styles.caption}>{replayText.glassOf(driver)}</h2>
      <div
        className={`${styles.glassBox} ${tones.toned}`}
        data-tone={(message && toneOf(message)) ?? undefined}
        data-glass
      >
        {problem && !isProblem && <Ribbon report={problem.report} />}
        <div className={glass.stage}>
          {!message && !isProblem && (stop || board) && (
            <ReplayedPhone
              speedKmh={speedKmh}
              render={foot =>
                stop ? (
                  <StopScreen
                    visits={stop.visits}
                    rule={ruleOfVisit(stop.race, stop.visits.at(-1))}
                    isFast={isTooFastForBox(speedKmh, limitKmh)}
                    limitKmh={limitKmh}
                    foot={foot}
                    plate={stop.plate}
                    nowMs={time}
                  />
                ) : (
                  board && <LapBoardView board={board} foot={foot} />
                )
              }
            />
          )}
          <div className={glass.glass} hidden={!message && !isProblem && (stop ?? board) !== null}>
            <div>
              {word && isFitted && (
                <div className={glass.question}>
                  <FittedWord variant="solid" breaks>
                    {message?.ask ? answersText.question(word) : word}
                  </FittedWord>
                </div>
              )}
              {word && !isFitted && (
                <Word fit="screen" variant="solid">
                  {word}
                </Word>
              )}
            </div>
            <p data-openreplay-hidden="">
              <b ref={speed}>--</b>
              <span>{replayText.kmh}</span>
            </p>
          </div>
        </div>
      </div>
      <div className={styles.receipt}>
        {flag && <p>{flagText(flag)}</p>}
        {problem && <p>{problemLine(problem.report)}</p>}
        {message ? <p>{receiptText(message)}</p> : !isProblem && <p>{emptyText(stop, board)}</p>}
      </div>
    </section>
  )
}

/** The place of the driver's screen while the data link was off: nothing reached the server. */
export function UnknownGlass({ driver }: Pick<Props, 'driver'>) {
  return (
    <section className={styles.glass} aria-label={replayText.glass}>
      <h2 className={styles.caption}>{replayText.glassOf(driver)}</h2>
      <div className={styles.glassBox}>
        <p className={glass.unknown}>{lapsText.marks.link}</p>
      </div>
      <div className={styles.receipt}>
        <p>{replayText.linkOff}</p>
      </div>
    </section>
  )
}

/** The reported problem above what fills the screen. */
function Ribbon({ report: { kind, gotIt } }: { report: Answer }) {
  return (
    <p className={glass.ribbon}>
      <b>{answersText.word(kind)}</b>
      {gotIt && problemText.by(gotIt.by)}
    </p>
  )
}

function emptyText(stop: Stop | null, board: LapBoard | null): string {
  if (stop) return replayText.stop
  return board ? replayText.emptyWithLaps : replayText.empty
}

/** The word and its delivery: a problem has a line of its own beside it. */
function receiptText(message: LoggedMessage): string {
  const { type, ask, shownAt, copiedAt } = message
  const from = pressedAtOf(message)
  if (from === null || shownAt === null) return ''
  const parts = [messageText.shown(tookText(shownAt - from))]
  const answer = message.ask ? firstAnswer(message) : undefined
  if (answer)
    parts.push(replayText.answered(answersText.word(answer.kind), tookText(answer.at - from)))
  else if (copiedAt !== null) parts.push(messageText.copied(tookText(copiedAt - from)))
  const word = messageText.plate(type)
  return `${ask ? answersText.question(word) : word}: ${parts.join('. ')}.`
}

function flagText({ flag, at, shownAt, byHand }: ShownFlag): string {
  const text = byHand === undefined ? replayText.flag : replayText.handFlag
  return text(flag, tookText((shownAt ?? at) - at))
}

/** The problem that the driver reported, and who has got it by then: PROBLEM: Mia has it, after 0:23. */
function problemLine({ kind, at, gotIt }: Answer): string {
  const got = gotIt ? `: ${gotItText(gotIt, at)}` : ''
  return `${answersText.word(kind)}${got}.`
}
