import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { answerTo, type KnownAnswers } from '#client/channel/sessionAnswers.ts'
import { lastKnown } from '#client/channel/sessionState.ts'
import type { Message } from '#contract/messages.ts'
import { pitThisLap } from '#contract/shared/problem.ts'
import { pitLoss } from '#racing/race/pitLoss.ts'
import { LapStrip } from '#web/laps/LapStrip.tsx'
import { useAnswers } from '#web/live/useAnswers.ts'
import { useLost } from '#web/live/useLost.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { exitedAt } from '#web/race/exitedAt.ts'
import { isInStop } from '#web/race/isInStop.ts'
import { RaceClock } from '#web/race/RaceClock.tsx'
import { useRunningRace } from '#web/race/racesQuery.ts'
import { StintLine, type StintLineProps } from '#web/race/StintLine.tsx'
import { StopClock, StopStrip } from '#web/race/StopClock.tsx'
import type { ChosenLitres } from '#web/race/StopLitres.tsx'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { useCarRace } from '#web/race/useCarRace.ts'
import { useEarly } from '#web/race/useEarly.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { useSizeOnGlass } from '#web/race/useSizeOnGlass.ts'
import { messageText } from '#web/text/message.ts'
import { teamAnswersText } from '#web/text/teamAnswers.ts'
import { FlagNote } from '#web/timing/FlagNote.tsx'
import { GhostLine } from '#web/timing/GhostLine.tsx'
import { OfficialFlag } from '#web/timing/OfficialFlag.tsx'
import { OfficialPlace } from '#web/timing/OfficialPlace.tsx'
import { type OfficialState, useOfficialTiming } from '#web/timing/useOfficialTiming.ts'
import { Board, EmptyBoard } from '#web/ui/board/Board.tsx'
import { Figure } from '#web/ui/board/Figure.tsx'
import { Receipt, type ReceiptProps } from '#web/ui/board/Receipt.tsx'
import { toneOf } from '#web/ui/board/tone.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { AgedMessage } from './AgedMessage.tsx'
import { AnswerLine, AskKey } from './AnswerLine.tsx'
import { EarlyExit, MessageWord, OnGlass } from './BoardStage.tsx'
import {
  deliveryReceipt,
  endedReceipt,
  failedReceipt,
  linkOffReceipt,
  noReceipt,
  type Question,
} from './boardReceipt.tsx'
import { withReport } from './boardReport.tsx'
import { boardWarnings } from './boardWarnings.ts'
import { carAnswers, noAnswers } from './carAnswers.ts'
import { type Delivery, deliveryOf, isOnScreen } from './delivery.ts'
import { LinkOff } from './LinkOff.tsx'
import styles from './MessageScreen.module.css'
import { OpenProblem } from './OpenProblem.tsx'
import { reportOf } from './report.ts'
import { SwitchLinkOn } from './SwitchLinkOn.tsx'
import type { Asking } from './useAsking.ts'
import type { Contact } from './useContact.ts'
import type { Sending } from './useSendMessage.ts'
import { useSpeedText } from './useSpeedText.ts'
import type { WatchedSession } from './useWatchedSession.ts'

interface Props {
  teamId: string
  sessionId: string
  watched: WatchedSession
  contact: Contact
  sending: Sending
  /** Null if nothing can be sent: for viewers, and in a session that is over or without a data link. */
  asking: Asking | null
  /** False for viewers. */
  maySend: boolean
  compact: boolean
}

/** The message board: the word, the car's speed, and the delivery state. */
export function MessageBoard(props: Props) {
  const { teamId, sessionId, contact, sending, asking, maySend, compact } = props
  const { session, message, ended } = props.watched
  const { race, table } = useCarRace(sessionId)
  const { answers, reporterId } = useCarAnswers(sessionId, race)
  const now = useServerNow(1000)
  // With the data link off there are no reports.
  const reports = props.watched.linkOff ? noAnswers : answers
  const leftPitsAt = exitedAt(race)
  const report = reportOf(reports, message, leftPitsAt, now)
  const speedKmh = useLiveSession(sessionId, state => lastKnown(state).speedKmh)
  const speedText = useSpeedText(speedKmh)
  const size = useSizeOnGlass(message, answers, race?.visits)
  const isAged = message !== null && message.type !== null && !sending.pending && size !== 'full'
  const delivery = message && deliveryOf(message, sending.pending, now)
  const early = useEarly(race, table)
  // Kept here, because a problem replaces the foot of the board, where the litres are chosen.
  const litres = useState<ChosenLitres | null>(null)
  const official = useOfficialTiming(race)
  const isInPits = isInStop(race)
  const shown = sending.pending ?? message
  const type = isAged ? null : (shown?.type ?? null)
  // The pit stop replaces the word, or is a strip above it.
  const isStage = type === null && isInPits
  const strip = race && isInPits && !isStage ? <StopStrip race={race} /> : null
  const isSmall = isAged && size === 'small'
  // Beside the speed, the line has room for only this report.
  const pitThisLapReport = pitThisLap(reports.answer, leftPitsAt, now)
  const isLinkOff = props.watched.linkOff && type === null && !isStage && !compact
  const running = useRunningRace(teamId, session?.car?.id ?? null)
  const isRaceOver = race?.race != null && race.race.endedAt !== null && !ended
  const { ofCar, warning } = boardWarnings({
    watched: props.watched,
    contact,
    isLost: useLost(),
    isLinkOff,
    nowMs: now,
    otherRace: isRaceOver ? (running?.name ?? null) : null,
  })
  if (session && message && !ended && report?.kind === 'Problem' && !report.gotIt)
    return (
      <OpenProblem
        {...props}
        {...{ session, race, reporterId, problem: report, message, litres }}
        isOnGlass={size === 'full'}
        state={contact.online ? speedText : ofCar}
        pitsThisLap={pitThisLapReport !== null}
      />
    )
  const receipt = withReport(
    boardReceiptOf(
      props,
      answers,
      delivery,
      { isAged, isLinkOff, warning: (compact || strip) && !isStage ? warning : null },
      now,
    ),
    isStage || report?.kind === 'PitThisLap' || asking?.isOn ? null : report,
    now,
  )
  const isFree = receipt.text === '' && !receipt.action && !receipt.repair && !receipt.warning
  const ask = asking && !receipt.repair && !isStage ? <AskKey {...asking} /> : null
  return (
    <Board
      label={messageText.board}
      tone={shown && !isAged ? toneOf(shown) : null}
      compact={compact}
      head={
        isStage ? (
          warning && <span className={styles.warning}>{warning}</span>
        ) : (
          <div className={styles.head} data-official={(official?.hasFlag && !compact) || undefined}>
            <AnswerLine report={strip ? null : pitThisLapReport} nowMs={now} />
            {strip}
            {!compact && !pitThisLapReport && !strip && (
              <BoardLine
                {...{ sessionId, race, official, warning, maySend }}
                delivery={type === null ? null : delivery}
              />
            )}
            {!strip && <Figure value={contact.online ? speedKmh : null} unit={messageText.kmh} />}
            {compact && !strip && ask}
          </div>
        )
      }
      foot={
        <BoardFoot
          {...{ teamId, sessionId, race, official, litres }}
          isShort={isInPits || compact}
          isStage={isStage && !compact}
          isRow={isStage && (warning !== null || !isFree)}
        />
      }
      slot={
        isStage && !asking?.isOn && isFree ? null : (
          <div className={styles.receipt} data-free={isFree || undefined}>
            <Receipt {...receipt} />
            {(!compact || strip) && ask}
          </div>
        )
      }
    >
      {shown && type !== null && delivery && (
        <MessageWord {...shown} type={type} isSolid={isOnScreen(delivery)} />
      )}
      {race && isStage && (
        <StopClock race={race} replaced={isSmall ? message : null} problem={reports.problem} />
      )}
      {isSmall && !isStage && <AgedMessage {...{ message, answers, race, report }} nowMs={now} />}
      {isLinkOff && session && <LinkOff {...{ session, maySend }} className={styles.linkOff} />}
      {type === null && delivery && !isStage && !isSmall && !isLinkOff && (
        <EmptyBoard hollow={!isAged && delivery.stage !== 'none' && !isOnScreen(delivery)}>
          {early === null ? messageText.noMessage : <EarlyExit early={early} nowMs={now} />}
        </EmptyBoard>
      )}
      {!message && !compact && <Skeleton widthPx={180} heightPx={64} />}
    </Board>
  )
}

interface LineProps {
  sessionId: string
  race: CarRace | undefined
  official: OfficialState | null
  /** A fault that the team must know; null without one. */
  warning: string | null
  maySend: boolean
  /** The delivery of the word on the board; null without one. */
  delivery: Delivery | null
}

/** The line above the word: the official flag and place, a warning, and the race clock. */
function BoardLine(props: LineProps) {
  const { sessionId, race, official, warning, maySend, delivery } = props
  return (
    <>
      {official?.hasFlag && (
        <OfficialFlag
          state={official}
          size="board"
          note={source => <FlagNote {...{ sessionId, race, source }} />}
        />
      )}
      {warning !== null && <span className={styles.warning}>{warning}</span>}
      {official && <OfficialPlace state={official} number={race?.car?.number ?? null} />}
      {delivery && warning === null && !official?.hasFlag && <OnGlass delivery={delivery} />}
      <RaceClock sessionId={sessionId} mayChange={maySend} />
    </>
  )
}

interface FootProps extends Pick<LineProps, 'sessionId' | 'race' | 'official'> {
  teamId: string
  litres: StintLineProps['litres']
  /** True for the stint alone. */
  isShort: boolean
  /** True below the clock of a stop: driver change and litres have rows of their own. */
  isStage: boolean
  /** True if a warning or a receipt needs the height of one of them. */
  isRow: boolean
}

/** The laps, the place after a stop now, and the stint. */
function BoardFoot(props: FootProps) {
  const { teamId, sessionId, race, official, litres, isShort, isStage, isRow } = props
  return (
    <>
      {!isShort && <LapStrip teamId={teamId} sessionId={sessionId} />}
      {!isShort && race && official?.isCurrent && (
        <div className={styles.ghost}>
          <GhostLine
            state={official}
            number={race.car?.number ?? null}
            own={pitLoss(race.laps, race.visits)}
          />
        </div>
      )}
      <StintLine {...{ teamId, sessionId, litres, isRow }} isShort={!isStage} />
    </>
  )
}

/** Returns the answers from all phones of the car, and the session from which the problem was reported. */
function useCarAnswers(sessionId: string, race: CarRace | undefined) {
  const others = race?.phones.filter(each => each.endedAt === null && each.sessionId !== sessionId)
  const ids = [sessionId, ...(others ?? []).map(each => each.sessionId)]
  const [own = noAnswers, ...ofOthers] = useAnswers(ids)
  const answers = carAnswers(own, ofOthers)
  const index = [own, ...ofOthers].findIndex(each => each.problem?.id === answers.problem?.id)
  return { answers, reporterId: ids[index] ?? sessionId }
}

function boardReceiptOf(
  props: Props,
  answers: KnownAnswers,
  delivery: Delivery | null,
  { isAged, isLinkOff, warning }: { isAged: boolean; isLinkOff: boolean; warning: string | null },
  nowMs: number,
): ReceiptProps {
  const { sending, maySend, asking } = props
  const { session, message, ended, linkOff } = props.watched
  if (!session || !message || !delivery) return noReceipt
  if (ended) return endedReceipt(`/teams/${session.teamId}`)
  if (isLinkOff) return linkOffReceipt(null)
  if (linkOff && maySend) return linkOffReceipt(<SwitchLinkOn sessionId={session.id} />)
  // The failed press may have been stored although its response was lost, or another message was sent
  // since: a newer version takes precedence over the failure.
  if (sending.failed && message.version <= sending.failed.afterVersion) {
    return failedReceipt(sending.failed, sending.tryAgain)
  }
  if (asking?.isOn)
    return {
      icon: CircleHelp,
      text: teamAnswersText.askHint,
      announcement: teamAnswersText.askHint,
    }
  if (isAged) return { ...noReceipt, warning }
  const onBoard = sending.pending ?? message
  const { type, ask = false, colour } = onBoard
  return deliveryReceipt({
    type,
    question: message.ask && !sending.pending ? questionOf(answers, message, nowMs) : null,
    delivery,
    origin: sending.pending ? {} : message,
    warning,
    onSendAgain: maySend ? () => sending.press(type, { ask, colour }) : null,
  })
}

/** Returns the state of the answer to the question on the board. */
function questionOf(
  { reply }: KnownAnswers,
  { version, shownAt }: Message,
  nowMs: number,
): Question {
  return { answer: answerTo(version, reply), nowMs, shownAt }
}
