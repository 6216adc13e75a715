import { answerTo, type KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer, AnswerKind } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import {
  type Delivery,
  deliveryOf,
  isOnScreen,
  type Press,
  withOrigin,
} from '#web/message/delivery.ts'
import { type DeliveryLine, deliveryLine } from '#web/message/deliveryLine.ts'
import { gotItText } from '#web/message/gotItText.ts'
import { reportOf } from '#web/message/report.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import { ageText, counterText } from '#web/ui/ages.ts'
import type { CarMessage } from './carMessage.ts'

const notReached = ['dark', 'dark', 'dark'] as const

/** The delivery of a message, or the driver's answer, in one short line. */
export interface WallReceipt extends DeliveryLine {
  /** The answer or report that the text is about: drawn as a plate before it. */
  readonly answer?: AnswerKind
  /** A report shown in addition to the delivery, as a plate of its own. */
  readonly report?: Answer
}

/**
 * Returns the failed press, the answer to a question, or the delivery, with a report of the driver beside it: a report
 * states nothing about a message. Without any of them it is the report.
 */
export function laneReceipt(
  message: Message,
  delivery: Delivery,
  answers: KnownAnswers,
  nowMs: number,
  {
    exitedAt = null,
    failure = null,
  }: { exitedAt?: number | null; failure?: WallReceipt | null } = {},
): WallReceipt | null {
  const report = reportOf(answers, message, exitedAt, nowMs)
  const receipt = failure ?? messageReceipt(message, delivery, answers, nowMs)
  if (!report) return receipt
  if (!receipt) return answered(report, nowMs)
  return { ...receipt, report }
}

/** The delivery to one of several phones that a message reaches. */
export interface PhoneReceipt extends WallReceipt {
  readonly sessionId: string
  /** True if this message is on the screen of the phone. */
  readonly isShown: boolean
}

/** Returns the deliveries of a message to several phones, for each the answers of its own driver. */
export function phoneReceipts(
  { addressed, message }: Pick<CarMessage, 'addressed' | 'message'>,
  pending: Press | null,
  exitedAt: number | null,
  nowMs: number,
): PhoneReceipt[] {
  return addressed.map(({ session: { id, message: its }, answers }): PhoneReceipt => {
    const delivery = deliveryOf(its, pending, nowMs)
    const isSame = pending !== null || (its.type === message.type && its.ask === message.ask)
    const receipt = isSame ? laneReceipt(its, delivery, answers, nowMs, { exitedAt }) : null
    const text = its.type === null ? wallText.noMessage : messageText.plate(its.type)
    return {
      ...(receipt ?? { sectors: notReached, text, level: 'plain' }),
      sessionId: id,
      isShown: isSame && isOnScreen(delivery),
    }
  })
}

/** The answer to the message on the board if it is a question, else its delivery. */
function messageReceipt(
  message: Message,
  delivery: Delivery,
  answers: KnownAnswers,
  nowMs: number,
): WallReceipt | null {
  const { ask, version, shownAt, copiedAt } = message
  const receipt = deliveredTo(message, delivery)
  if (!ask || delivery.stage === 'sending') return receipt
  const answer = answerTo(version, answers.reply)
  if (answer) return answered(answer, nowMs)
  if (isOnScreen(delivery))
    return {
      sectors: ['done', 'done', 'dark'],
      text: wallText.noAnswer,
      age: counterText(nowMs - (shownAt ?? copiedAt ?? nowMs)),
      level: 'plain',
    }
  return receipt
}

/** An answer or report, with its age or who has got it. */
export function answered({ kind, at, gotIt }: Answer, nowMs: number): WallReceipt {
  const ago = messageText.ago(ageText(nowMs - at))
  return {
    sectors: ['done', 'done', 'done'],
    text: gotIt ? gotItText(gotIt, at) : ago,
    level: kind === 'Problem' && !gotIt ? 'bad' : 'good',
    answer: kind,
  }
}

function deliveredTo(message: Message, delivery: Delivery): WallReceipt | null {
  if (delivery.stage === 'none') return null
  const { age, ...line } = deliveryLine(delivery)
  if (delivery.stage === 'sending') return { ...line, level: 'plain' }
  const text = delivery.stage === 'reached' ? wallText.onPhone : line.text
  return {
    ...line,
    text: line.level === 'due' ? text : withOrigin(text, message),
    ...(age !== undefined && { age }),
  }
}
