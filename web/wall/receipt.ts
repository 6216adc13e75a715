import { answerTo, type KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer, AnswerKind } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import {
  type Delivery,
  deliveryOf,
  isOnScreen,
  lateAfterMs,
  type Press,
  withOrigin,
} from '#web/message/delivery.ts'
import { gotItText } from '#web/message/gotItText.ts'
import { reportOf } from '#web/message/report.ts'
import { ageText, counterText, tookText } from '#web/race/ages.ts'
import { messageText } from '#web/text/message.ts'
import { problemText } from '#web/text/problem.ts'
import { wallText } from '#web/text/wall.ts'
import type { CarMessage } from './carMessage.ts'

type Sector = 'dark' | 'done'

const notReached = ['dark', 'dark', 'dark'] as const

/** The delivery of a message, or the driver's answer, in one short line. */
export interface WallReceipt {
  readonly sectors: readonly [Sector, Sector, Sector]
  readonly text: string
  /** How long ago it was sent, or has not been shown. */
  readonly age?: string
  readonly tone: 'plain' | 'good' | 'bad'
  /** The answer or report that the text is about: drawn as a plate before it. */
  readonly answer?: AnswerKind
  /** A report shown in addition to the delivery, as a plate after the text. */
  readonly report?: AnswerKind
  /** After that plate: who has got it. */
  readonly reportText?: string
}

/**
 * Returns the failed press, the answer to a question, or the delivery. A report of the driver takes its place only if
 * it was given with this message on the screen. With any other message it is shown next to the delivery, because the
 * driver may not have seen that message.
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
  if (!report || receipt?.answer === report.kind) return receipt
  const isSeen = isOnScreen(delivery) && report.version === message.version
  if (!receipt || (isSeen && !message.ask && !failure)) return answered(report, nowMs)
  const reportText = report.gotIt && problemText.by(report.gotIt.by)
  return { ...receipt, report: report.kind, ...(reportText && { reportText }) }
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
  nowMs: number,
): PhoneReceipt[] {
  return addressed.map(({ session: { id, message: its }, answers }): PhoneReceipt => {
    const delivery = deliveryOf(its, pending, nowMs)
    const isSame = pending !== null || (its.type === message.type && its.ask === message.ask)
    const receipt = isSame ? laneReceipt(its, delivery, answers, nowMs) : null
    const text = its.type === null ? wallText.noMessage : messageText.plate(its.type)
    return {
      ...(receipt ?? { sectors: notReached, text, tone: 'plain' }),
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
  const delivered = receiptOf(delivery)
  const receipt =
    delivered && delivery.stage !== 'sending'
      ? { ...delivered, text: withOrigin(delivered.text, message) }
      : delivered
  if (!ask || delivery.stage === 'sending') return receipt
  const answer = answerTo(version, answers.answer, answers.reply)
  if (answer) return answered(answer, nowMs)
  if (isOnScreen(delivery))
    return {
      sectors: ['done', 'done', 'dark'],
      text: wallText.noAnswer,
      age: counterText(nowMs - (shownAt ?? copiedAt ?? nowMs)),
      tone: 'plain',
    }
  return receipt
}

/** An answer or report, with its age or who has got it. */
export function answered({ kind, at, gotIt }: Answer, nowMs: number): WallReceipt {
  const ago = messageText.ago(ageText(nowMs - at))
  return {
    sectors: ['done', 'done', 'done'],
    text: gotIt ? gotItText(gotIt, at) : ago,
    tone: kind === 'Problem' && !gotIt ? 'bad' : 'good',
    answer: kind,
  }
}

function receiptOf(delivery: Delivery): WallReceipt | null {
  switch (delivery.stage) {
    case 'none':
      return null
    case 'sending':
      return { sectors: notReached, text: wallText.sending, tone: 'plain' }
    case 'sent':
      return {
        sectors: ['done', 'dark', 'dark'],
        text: messageText.sent,
        age: counterText(delivery.ageMs),
        tone: delivery.ageMs >= lateAfterMs ? 'bad' : 'plain',
      }
    case 'reached':
      return {
        sectors: ['done', 'dark', 'dark'],
        text: wallText.onPhone,
        age: counterText(delivery.ageMs),
        tone: 'bad',
      }
    case 'expired':
      return { sectors: notReached, text: wallText.notDelivered, tone: 'bad' }
    case 'shown':
      return {
        sectors: ['done', 'done', 'dark'],
        text: messageText.shown(tookText(delivery.tookMs)),
        age: messageText.ago(ageText(delivery.ageMs)),
        tone: 'plain',
      }
    case 'copied':
      return {
        sectors: ['done', 'done', 'done'],
        text: messageText.copied(tookText(delivery.tookMs)),
        age: messageText.ago(ageText(delivery.ageMs)),
        tone: 'good',
      }
  }
}
