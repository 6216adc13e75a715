import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Message } from '#contract/messages.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { deliveryOf, isOnScreen } from '#web/message/delivery.ts'
import { isLong, toneOf } from '#web/message/tone.ts'
import type { Sending } from '#web/message/useSendMessage.ts'
import { answersText } from '#web/text/answers.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import { FittedWord } from '#web/ui/board/FittedWord.tsx'
import tones from '#web/ui/board/tones.module.css'
import styles from './LaneMessage.module.css'
import { laneReceipt, type WallReceipt } from './receipt.ts'

interface Props {
  message: Message
  answers: KnownAnswers
  /** Null on a screen that does not send. */
  sending: Sending | null
}

/** The current message of a car with its delivery and the driver's reply. */
export function LaneMessage({ message, answers, sending }: Props) {
  useSecond()
  const now = useServerClock()()
  const pending = sending?.pending ?? null
  const shown = pending ?? message
  const { type, ask } = shown
  const delivery = deliveryOf(message, pending, now)
  const receipt = laneReceipt(message, delivery, answers, now, failure(sending, message.version))
  const hasWord = delivery.stage !== 'none'
  const word = messageText.plate(type)
  return (
    <div className={`${styles.message} ${tones.toned}`} data-tone={toneOf(shown) ?? undefined}>
      {hasWord ? (
        <LaneWord isLong={isLong(shown)} isShown={isOnScreen(delivery)}>
          {ask ? answersText.question(word) : word}
        </LaneWord>
      ) : (
        <span className={styles.none}>{wallText.noMessage}</span>
      )}
      {receipt && <Receipt {...receipt} />}
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

function Receipt({ sectors, text, tone, answer, report }: WallReceipt) {
  return (
    <>
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
      <small className={styles.receipt} data-tone={tone} data-report={report}>
        {answer && <AnswerPlate kind={answer}>{answersText.word(answer)}</AnswerPlate>}
        <span>{text}</span>
        {report && <AnswerPlate kind={report}>{answersText.word(report)}</AnswerPlate>}
      </small>
    </>
  )
}

/** The last press failed, and no newer message replaced it. */
function failure(sending: Sending | null, version: number): WallReceipt | null {
  const { failed, pending } = sending ?? {}
  if (!failed || pending || version > failed.afterVersion) return null
  return {
    sectors: ['dark', 'dark', 'dark'],
    text: wallText.notSent(messageText.plate(failed.press.type)),
    tone: 'bad',
  }
}
