import { CircleHelp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { answerTo, type KnownAnswers } from '#client/channel/sessionAnswers.ts'
import { lastKnown } from '#client/channel/sessionState.ts'
import type { Answer } from '#contract/answers.ts'
import type { LapTable } from '#contract/laps.ts'
import type { Message } from '#contract/messages.ts'
import type { SizeOnGlass } from '#contract/shared/onGlass.ts'
import { pitThisLap } from '#contract/shared/problem.ts'
import { pitLoss } from '#racing/race/pitLoss.ts'
import { LapStrip } from '#web/laps/LapStrip.tsx'
import { useAnswers } from '#web/live/useAnswers.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { exitedAt } from '#web/race/exitedAt.ts'
import { isInStop } from '#web/race/isInStop.ts'
import { ProposedDriver } from '#web/race/ProposedDriver.tsx'
import { RaceClock } from '#web/race/RaceClock.tsx'
import { DueFigures, StintLine, type StintLineProps } from '#web/race/StintLine.tsx'
import { StopClock, StopStrip } from '#web/race/StopClock.tsx'
import type { ChosenLitres } from '#web/race/StopLitres.tsx'
import { SwitchLinkOn } from '#web/race/SwitchDataLink.tsx'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { useCarRace } from '#web/race/useCarRace.ts'
import { useExit } from '#web/race/useExit.ts'
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
import { MessageWord, OnGlass, WithoutWord } from './BoardStage.tsx'
import {
  deliveryReceipt,
  endedReceipt,
  failedReceipt,
  linkOffReceipt,
  noReceipt,
  type Question,
} from './boardReceipt.tsx'
import { withReport } from './boardReport.tsx'
import { useBoardWarnings } from './boardWarnings.ts'
import { carAnswers, noAnswers } from './carAnswers.ts'
import { type Delivery, deliveryOf, isOnScreen } from './delivery.ts'
import { LinkOff } from './LinkOff.tsx'
import styles from './MessageScreen.module.css'
import { OpenProblem } from './OpenProblem.tsx'
import { reportOf } from './report.ts'
import { speedText } from './speedText.ts'
import type { Asking } from './useAsking.ts'
import type { Contact } from './useContact.ts'
import type { Sending } from './useSendMessage.ts'
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

/** The message board: an open problem, or else the word or the pit stop. */
export function MessageBoard(props: Props) {
  const { sessionId, watched } = props
  const { session, message, ended, linkOff } = watched
  const { race, table } = useCarRace(sessionId)
  const { answers, reporterId } = useCarAnswers(sessionId, race)
  const nowMs = useServerNow(1000)
  // With the data link off there are no reports.
  const reports = linkOff ? noAnswers : answers
  const leftPitsAt = exitedAt(race)
  const report = reportOf(reports, message, leftPitsAt, nowMs)
  // Beside the speed, the line has room for only this report.
  const pitReport = pitThisLap(reports.answer, leftPitsAt, nowMs)
  const size = useSizeOnGlass(message, answers, race?.visits)
  // Called before a problem opens, too: it compares with earlier readings.
  const speed = speedText(useLiveSession(sessionId, state => lastKnown(state).speedKmh))
  // Kept here, because a problem replaces the foot of the board, where the litres are chosen.
  const litres = useState<ChosenLitres | null>(null)
  if (session && message && !ended && report?.kind === 'Problem' && !report.gotIt)
    return (
      <OpenProblem
        {...props}
        {...{ session, race, reporterId, problem: report, message, litres, speed, nowMs }}
        isOnGlass={size === 'full'}
        pitsThisLap={pitReport !== null}
      />
    )
  return (
    <CurrentBoard
      {...props}
      {...{ race, table, answers, report, pitReport, size, litres, nowMs }}
      problem={reports.problem}
    />
  )
}

interface CurrentProps extends Props, Pick<StintLineProps, 'litres'> {
  race: CarRace | undefined
  table: LapTable | undefined
  /** From all phones of the car. */
  answers: KnownAnswers
  /** The driver's report; null without one. */
  report: Answer | null
  /** "Pit this lap", also beside a problem. */
  pitReport: Answer | null
  /** The driver's last report of a problem, also after its end. */
  problem: Answer | null
  /** Size of the message on the driver's screen. */
  size: SizeOnGlass
  nowMs: number
}

/** The word of the message, or the pit stop, with the car's speed and the delivery state. */
function CurrentBoard(props: CurrentProps) {
  const { teamId, sessionId, watched, contact, sending, asking, maySend, compact } = props
  const { race, table, answers, report, pitReport, problem, size, litres, nowMs } = props
  const { session, message } = watched
  const isAged = message !== null && message.type !== null && !sending.pending && size !== 'full'
  const delivery = message && deliveryOf(message, sending.pending, nowMs)
  const exit = useExit(race, table)
  const official = useOfficialTiming(race)
  const isInPits = isInStop(race)
  const shown = sending.pending ?? message
  const type = isAged ? null : (shown?.type ?? null)
  // The pit stop replaces the word, or is a strip above it.
  const isStage = type === null && isInPits
  const strip = race && isInPits && !isStage ? <StopStrip race={race} /> : null
  const isSmall = isAged && size === 'small'
  const isLinkOff = watched.linkOff && type === null && !isStage && !compact
  // Without a word the stage has room for the driver change of a stop that the car has left.
  const asksDriver = maySend && type === null && !isStage && !isLinkOff && !compact
  const facts = { teamId, watched, contact, race, isLinkOff, nowMs }
  const { warning: fault, isReached } = useBoardWarnings(facts)
  // Without a word the stage names the exit.
  const warning =
    fault ?? (exit && (type !== null || isSmall) ? `${exit.word}, ${exit.time}` : null)
  const receiptWarning = (compact || strip) && !isStage ? warning : null
  const receipt = withReport(
    boardReceiptOf(props, delivery, { isAged, isLinkOff, warning: receiptWarning }),
    isStage || report?.kind === 'PitThisLap' || asking?.isOn ? null : report,
    nowMs,
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
          <BoardHead
            {...{ sessionId, race, official, warning, maySend, compact, strip, ask, nowMs }}
            report={pitReport}
            isOnline={contact.online}
            delivery={type === null ? null : delivery}
          />
        )
      }
      foot={
        <BoardFoot
          {...{ teamId, sessionId, race, official, litres, asksDriver }}
          isShort={isInPits || compact}
          isStage={isStage && !compact}
          isRow={isStage && (warning !== null || !isFree)}
        />
      }
      slot={
        isStage && !asking?.isOn && isFree ? null : (
          <div className={styles.receipt} data-free={isFree || undefined}>
            <Receipt
              {...receipt}
              due={
                (type !== null || compact) &&
                !asking?.isOn && <DueFigures sessionId={sessionId} mayEnter={maySend} />
              }
            />
            {(!compact || strip) && ask}
          </div>
        )
      }
    >
      {shown && type !== null && delivery && (
        <MessageWord {...shown} type={type} isSolid={isOnScreen(delivery)} />
      )}
      {race && isStage && (
        <StopClock race={race} replaced={isSmall ? message : null} problem={problem} />
      )}
      {isSmall && !isStage && <AgedMessage {...{ message, answers, race, report, nowMs }} />}
      {isLinkOff && session && <LinkOff {...{ session, maySend }} className={styles.linkOff} />}
      {type === null && delivery && !isStage && !isSmall && !isLinkOff && (
        <EmptyBoard hollow={!isAged && delivery.stage !== 'none' && !isOnScreen(delivery)}>
          <WithoutWord {...{ exit, isReached, nowMs }} isRaceOver={race?.race?.endedAt != null} />
        </EmptyBoard>
      )}
      {!message && !compact && <Skeleton widthPx={180} heightPx={64} />}
      {session && asksDriver && <ProposedDriver session={session} race={race} />}
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
  const clock = <RaceClock sessionId={sessionId} mayChange={maySend} />
  return (
    <>
      {official?.hasFlag && (
        <OfficialFlag
          state={official}
          size="board"
          note={source => <FlagNote {...{ sessionId, race, source }} />}
        />
      )}
      {warning !== null && official && <span className={styles.warning}>{warning}</span>}
      {official && <OfficialPlace state={official} number={race?.car?.number ?? null} />}
      {delivery && warning === null && !official?.hasFlag && <OnGlass delivery={delivery} />}
      {warning !== null && !official ? (
        <div className={styles.beside}>
          <span className={styles.warning}>{warning}</span>
          {clock}
        </div>
      ) : (
        clock
      )}
    </>
  )
}

interface HeadProps extends LineProps {
  /** "Pit this lap". */
  report: Answer | null
  /** The clock of a stop, instead of the speed; null without one. */
  strip: ReactNode
  /** The key Ask; null where it is not offered. */
  ask: ReactNode
  isOnline: boolean
  compact: boolean
  nowMs: number
}

/** The report, the line above the word, and the car's speed; in the pits the clock of the stop. */
function BoardHead(props: HeadProps) {
  const { report, strip, ask, isOnline, compact, nowMs, ...line } = props
  const speedKmh = useLiveSession(line.sessionId, state => lastKnown(state).speedKmh)
  return (
    <div className={styles.head} data-official={(line.official?.hasFlag && !compact) || undefined}>
      <AnswerLine report={strip ? null : report} nowMs={nowMs} />
      {strip}
      {!compact && !report && !strip && <BoardLine {...line} />}
      {!strip && <Figure value={isOnline ? speedKmh : null} unit={messageText.kmh} />}
      {compact && !strip && ask}
    </div>
  )
}

interface FootProps extends Pick<LineProps, 'sessionId' | 'race' | 'official'> {
  teamId: string
  litres: StintLineProps['litres']
  asksDriver: boolean
  /** True for the stint alone. */
  isShort: boolean
  /** True below the clock of a stop: driver change and litres have rows of their own. */
  isStage: boolean
  /** True if a warning or a receipt needs the height of one of them. */
  isRow: boolean
}

/** The laps, the place after a stop now, and the stint. */
function BoardFoot(props: FootProps) {
  const { teamId, sessionId, race, official, litres, asksDriver, isShort, isStage, isRow } = props
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
      <StintLine {...{ teamId, sessionId, litres, isRow, asksDriver }} isShort={!isStage} />
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
  props: CurrentProps,
  delivery: Delivery | null,
  { isAged, isLinkOff, warning }: { isAged: boolean; isLinkOff: boolean; warning: string | null },
): ReceiptProps {
  const { sending, maySend, asking, answers, nowMs } = props
  const { session, message, ended, linkOff } = props.watched
  if (!session || !message || !delivery) return noReceipt
  if (ended) return endedReceipt(`/teams/${session.teamId}`)
  if (isLinkOff) return linkOffReceipt(null)
  if (linkOff && maySend) return linkOffReceipt(<SwitchLinkOn session={session} />)
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
