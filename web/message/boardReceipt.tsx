import { Check, CheckCheck, CircleAlert, CircleCheck, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Answer } from '#contract/answers.ts'
import type { Message, MessageType } from '#contract/messages.ts'
import { answersText } from '#web/text/answers.ts'
import { appText } from '#web/text/app.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { messageText } from '#web/text/message.ts'
import { teamAnswersText } from '#web/text/teamAnswers.ts'
import { ageText, counterText, tookText } from '#web/ui/ages.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import type { ReceiptProps } from '#web/ui/board/Receipt.tsx'
import { type Delivery, isOnScreen, withOrigin } from './delivery.ts'
import { deliveryLine } from './deliveryLine.ts'
import type { Failed } from './presses.ts'

/** An empty receipt that keeps the slot's height. */
export const noReceipt: ReceiptProps = { text: '', announcement: '' }

interface OnBoard {
  type: MessageType | null
  /** The state of the answer to the question on the board; null if the message is not a question. */
  question: Question | null
  delivery: Delivery
  /** The origin of the message; empty for a press on this screen. */
  origin: Pick<Message, 'carriedOver' | 'byPlan'>
  /** Shown where nothing else has room for it: time since the last contact. */
  warning: string | null
  /** Sends an undelivered message again; null for viewers. */
  onSendAgain: (() => void) | null
}

/** Delivery state of the message on the board. */
export function deliveryReceipt(onBoard: OnBoard): ReceiptProps {
  const { type, question, delivery, origin, warning, onSendAgain } = onBoard
  if (delivery.stage === 'none') {
    const announcement = messageText.noMessage
    return {
      text: '',
      announcement,
      warning,
      ...(warning !== null && { sectors: ['dark', 'dark', 'dark'] }),
    }
  }
  const seen = (question && questionReceipt(question, delivery)) ?? seenOf(delivery, origin)
  const word = type ?? messageText.plate(null)
  return {
    ...seen,
    announcement: messageText.announcement(
      word,
      question?.answer
        ? teamAnswersText.fromDriver(answersText.word(question.answer.kind))
        : seen.text,
    ),
    warning,
    ...(delivery.stage === 'expired' &&
      onSendAgain && {
        repair: (
          <button type="button" onClick={onSendAgain}>
            {messageText.sendAgain}
          </button>
        ),
      }),
  }
}

/** The sectors of the board while a message is on its way, and the icon of each stage. */
const forms = {
  sending: { icon: Send, sectors: ['runs', 'dark', 'dark'] },
  sent: { icon: Check, sectors: ['done', 'runs', 'dark'] },
  reached: { icon: Check, sectors: ['done', 'runs', 'dark'] },
  expired: { icon: CircleAlert, sectors: ['done', 'failed', 'dark'] },
  shown: { icon: CheckCheck },
  copied: { icon: CircleCheck },
} as const

/** A message on its way shows its age once it is late. */
function seenOf(
  delivery: Exclude<Delivery, { stage: 'none' }>,
  origin: OnBoard['origin'],
): Omit<ReceiptProps, 'announcement'> {
  const { age = null, ...line } = deliveryLine(delivery)
  const hasAge = isOnScreen(delivery) || line.level === 'bad'
  return {
    ...line,
    ...forms[delivery.stage],
    text: line.level === 'due' ? line.text : withOrigin(line.text, origin),
    age: hasAge ? age : null,
  }
}

export interface Question {
  readonly answer: Answer | null
  readonly nowMs: number
  /** When the driver's screen showed it. */
  readonly shownAt: number | null
}

/** The answer to a question, or how long the driver has not answered; null before it is on the screen. */
function questionReceipt(
  { answer, nowMs, shownAt }: Question,
  delivery: Delivery,
): Omit<ReceiptProps, 'announcement'> | null {
  if (answer) {
    const word = answersText.word(answer.kind)
    return {
      sectors: ['done', 'done', 'done'],
      text: teamAnswersText.answered(tookText(answer.at - (shownAt ?? answer.at))),
      age: messageText.ago(ageText(Math.max(0, nowMs - answer.at))),
      level: 'good',
      action: <AnswerPlate kind={answer.kind}>{word}</AnswerPlate>,
    }
  }
  if (!isOnScreen(delivery) || shownAt === null) return null
  return {
    sectors: ['done', 'done', 'dark'],
    icon: CheckCheck,
    text: teamAnswersText.noAnswer,
    age: counterText(nowMs - shownAt),
  }
}

/** The receipt after a press that failed. */
export function failedReceipt({ press, why }: Failed, tryAgain: () => void): ReceiptProps {
  const text = messageText.notSent(messageText.plate(press.type))
  return {
    sectors: ['failed', 'dark', 'dark'],
    icon: CircleAlert,
    text,
    detail: why,
    announcement: `${text} ${why}`,
    level: 'bad',
    repair: (
      <button type="button" onClick={tryAgain}>
        {appText.tryAgain}
      </button>
    ),
  }
}

/** The receipt of a session that has ended. It accepts no messages. */
export function endedReceipt(teamPath: string): ReceiptProps {
  return {
    text: messageText.ended,
    announcement: messageText.ended,
    action: <Link to={teamPath}>{messageText.backToTeam}</Link>,
  }
}

/** The receipt while the data link is off: the way back, unless the board has it. */
export function linkOffReceipt(repair: ReactNode): ReceiptProps {
  const announcement = dataLinkText.team
  if (!repair) return { ...noReceipt, announcement }
  return {
    sectors: ['dark', 'dark', 'dark'],
    text: messageText.noMessage,
    announcement,
    repair,
  }
}
