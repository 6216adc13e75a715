import type { AnswerKind } from '#contract/answers.ts'
import { pitThisLap } from '#contract/shared/problem.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { AgedMessage } from '#web/message/AgedMessage.tsx'
import { deliveryOf, isOnScreen } from '#web/message/delivery.ts'
import { reportOf } from '#web/message/report.ts'
import type { Sending } from '#web/message/useSendMessage.ts'
import { exitedAt } from '#web/race/exitedAt.ts'
import { phoneHolder } from '#web/race/phoneLabel.ts'
import { useExit } from '#web/race/useExit.ts'
import { useSizeOnGlass } from '#web/race/useSizeOnGlass.ts'
import { answersText } from '#web/text/answers.ts'
import { messageText } from '#web/text/message.ts'
import { pitExitText } from '#web/text/pitExit.ts'
import { problemText } from '#web/text/problem.ts'
import { wallText } from '#web/text/wall.ts'
import { ageText } from '#web/ui/ages.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import { FittedWord } from '#web/ui/board/FittedWord.tsx'
import { isLong, toneOf } from '#web/ui/board/tone.ts'
import tones from '#web/ui/board/tones.module.css'
import typography from '#web/ui/theme/typography.module.css'
import type { CarMessage } from './carMessage.ts'
import styles from './LaneMessage.module.css'
import { answered, laneReceipt, phoneReceipts, type WallReceipt } from './receipt.ts'
import type { CarLane } from './useLanes.ts'

interface Props extends CarMessage {
  race: CarLane['race']
  table: CarLane['table']
  /** Null on a screen that does not send. */
  sending: Sending | null
}

/** The current message of a car with its delivery and the driver's reply, on each phone that it reaches. */
export function LaneMessage({ race, table, sending, ...car }: Props) {
  useSecond()
  const now = useServerClock()()
  const { addressed, message, answers } = car
  const pending = sending?.pending ?? null
  const failure = failureOf(sending)
  const shown = pending ?? message
  const { type, ask } = shown
  const delivery = deliveryOf(message, pending, now)
  const leftPitsAt = exitedAt(race)
  const receipt = laneReceipt(message, delivery, answers, now, { failure, exitedAt: leftPitsAt })
  const phones = addressed.length > 1 ? phoneReceipts(car, pending, leftPitsAt, now) : []
  const isShown = phones.every(phone => phone.isShown) && isOnScreen(delivery)
  const size = useSizeOnGlass(pending ? null : message, answers, race?.visits)
  const exit = useExit(race, table)
  const isFull = pending !== null || failure !== null || size === 'full' || message.type === null
  const report = reportOf(answers, message, leftPitsAt, now)
  const also =
    report?.kind === 'Problem' && pitThisLap(answers.answer, leftPitsAt, now)
      ? ('PitThisLap' as const)
      : undefined
  const hasWord = delivery.stage !== 'none' && isFull
  const word = messageText.plate(type)
  if (!isFull && exit === null && (size === 'small' || report))
    return (
      <div className={`${styles.message} ${styles.small}`}>
        {size === 'small' && <AgedMessage {...{ message, answers, race, report }} nowMs={now} />}
        {report && <LaneReceipt {...answered(report, now)} also={also} />}
      </div>
    )
  return (
    <div className={`${styles.message} ${tones.toned}`} data-tone={toneOf(shown) ?? undefined}>
      {hasWord ? (
        <LaneWord isLong={isLong(shown)} isShown={isShown}>
          {ask ? answersText.question(word) : word}
        </LaneWord>
      ) : (
        <span className={styles.none}>
          {exit === null ? (
            wallText.noMessage
          ) : (
            <>
              <AnswerPlate kind="early">{exit.word}</AnswerPlate>
              <small>
                {exit.time}
                <span>
                  {pitExitText.ago(exit.measured.slice(exit.time.length), ageText(now - exit.at))}
                </span>
              </small>
            </>
          )}
        </span>
      )}
      {receipt && isFull && (phones.length === 0 || failure) && (
        <>
          {hasWord && <Sectors sectors={receipt.sectors} />}
          <LaneReceipt {...receipt} also={also} />
        </>
      )}
      {hasWord && phones.length > 0 && !failure && (
        <div className={styles.phones}>
          {phones.map(phone => (
            <LaneReceipt
              key={phone.sessionId}
              {...phone}
              phone={phoneHolder(race?.phones ?? [], phone.sessionId)}
            />
          ))}
        </div>
      )}
    </div>
  )
}

interface WordProps {
  isLong: boolean
  isShown: boolean
  children: string
}

/** Shows a message's word. A word longer than those of the message keys is fitted to the lane. */
function LaneWord({ isLong, isShown, children }: WordProps) {
  if (!isLong)
    return (
      <span className={styles.word} data-hollow={!isShown} data-word>
        {children}
      </span>
    )
  return (
    <span className={styles.long} data-hollow={!isShown} data-word>
      <FittedWord variant={isShown ? 'solid' : 'hollow'}>{children}</FittedWord>
    </span>
  )
}

function Sectors({ sectors }: Pick<WallReceipt, 'sectors'>) {
  return (
    <div
      className={styles.sectors}
      data-complete={sectors.every(sector => sector === 'done') || undefined}
      aria-hidden
    >
      {sectors.map((sector, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- three fixed places
        <i key={index} data-state={sector} />
      ))}
    </div>
  )
}

/** One line about the delivery, with the name of the phone if there are several. */
function LaneReceipt(props: WallReceipt & { phone?: string; also?: AnswerKind | undefined }) {
  const { text, age, level, answer, report, phone, also } = props
  const alsoPlate = also && <AnswerPlate kind={also}>{answersText.word(also)}</AnswerPlate>
  return (
    <small className={styles.receipt} data-level={level} data-report={report?.kind}>
      {phone !== undefined && <i>{phone} </i>}
      {answer && <AnswerPlate kind={answer}>{answersText.wordBeside(answer)}</AnswerPlate>}
      {level === 'due' ? (
        <span>
          {text} <i className={styles.age}>{age}</i>
        </span>
      ) : (
        <>
          <span>{text}</span>
          {age !== undefined && <i className={styles.age}> {age}</i>}
        </>
      )}
      {report && (
        <span className={styles.report}>
          <span className={typography.hidden}>{`. ${problemText.sentence(report)}`}</span>
          <AnswerPlate kind={report.kind}>
            <span aria-hidden>{problemText.beside(report)}</span>
          </AnswerPlate>
          {alsoPlate}
        </span>
      )}
      {!report && alsoPlate}
    </small>
  )
}

/** The last press failed. A newer message drops it. */
function failureOf(sending: Sending | null): WallReceipt | null {
  const { failed, pending } = sending ?? {}
  if (!failed || pending) return null
  return {
    sectors: ['dark', 'dark', 'dark'],
    text: wallText.notSent(messageText.plate(failed.press.type)),
    level: 'bad',
  }
}
