import { Check, CheckCheck, CircleAlert, CircleCheck, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Answer } from '#contract/answers.ts'
import type { Message, MessageType } from '#contract/messages.ts'
import { ageText, counterText, tookText } from '#web/race/ages.ts'
import { answersText } from '#web/text/answers.ts'
import { appText } from '#web/text/app.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { messageText } from '#web/text/message.ts'
import { teamAnswersText } from '#web/text/teamAnswers.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import type { ReceiptProps } from '#web/ui/board/Receipt.tsx'
import { type Delivery, isOnScreen, lateAfterMs, withOrigin } from './delivery.ts'
import type { Failed } from './presses.ts'

/** An empty receipt that keeps the slot's height. */
export const noReceipt: ReceiptProps = { text: '', announcement: '' }

interface OnBoard {
  type: MessageType | null
  /** The answer to the question on the board, and the question's word; null if it asks nothing. */
  question: Question | null
  delivery: Delivery
  /** Where it comes from: nothing for a press of this screen. */
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

function seenOf(
  delivery: Exclude<Delivery, { stage: 'none' }>,
  origin: OnBoard['origin'],
): Omit<ReceiptProps, 'announcement'> {
  const stage = stageOf(delivery)
  return { ...stage, text: withOrigin(stage.text, origin) }
}

function stageOf(
  delivery: Exclude<Delivery, { stage: 'none' }>,
): Omit<ReceiptProps, 'announcement'> {
  switch (delivery.stage) {
    case 'sending':
      return {
        sectors: ['runs', 'dark', 'dark'],
        icon: Send,
        text: messageText.sending,
        ...lateness(delivery.ageMs),
      }
    case 'sent':
      return {
        sectors: ['done', 'runs', 'dark'],
        icon: Check,
        text: messageText.sent,
        ...lateness(delivery.ageMs),
      }
    case 'reached':
      return {
        sectors: ['done', 'runs', 'dark'],
        icon: Check,
        text: messageText.onPhone,
        ...lateness(delivery.ageMs),
      }
    case 'expired':
      return {
        sectors: ['done', 'failed', 'dark'],
        icon: CircleAlert,
        text: messageText.notDelivered,
        tone: 'bad',
      }
    case 'shown':
      return {
        sectors: ['done', 'done', 'dark'],
        icon: CheckCheck,
        text: messageText.shown(tookText(delivery.tookMs)),
        age: messageText.ago(ageText(delivery.ageMs)),
      }
    case 'copied':
      return {
        sectors: ['done', 'done', 'done'],
        icon: CircleCheck,
        text: messageText.copied(tookText(delivery.tookMs)),
        age: messageText.ago(ageText(delivery.ageMs)),
        tone: 'good',
      }
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
      tone: 'good',
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
    tone: 'bad',
    repair: (
      <button type="button" onClick={tryAgain}>
        {appText.tryAgain}
      </button>
    ),
  }
}

/** The receipt of a session that has ended: no message can be sent any more. */
export function endedReceipt(teamPath: string): ReceiptProps {
  return {
    text: messageText.ended,
    announcement: messageText.ended,
    action: <Link to={teamPath}>{messageText.backToTeam}</Link>,
  }
}

/** The receipt while the data link is off, with the way back unless the board has it. */
export function linkOffReceipt(repair: ReactNode): ReceiptProps {
  return {
    sectors: ['dark', 'dark', 'dark'],
    text: messageText.noMessage,
    announcement: dataLinkText.team,
    repair,
  }
}

/** A red counter, once the message is late. */
function lateness(ageMs: number): Pick<ReceiptProps, 'age' | 'tone'> {
  return ageMs >= lateAfterMs ? { age: counterText(ageMs), tone: 'bad' } : {}
}
