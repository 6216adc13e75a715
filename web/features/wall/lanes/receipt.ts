import type { KnownAnswers } from '#client/answers/sessionAnswers.ts'
import type { Answer, AnswerKind } from '#contract/sessions/answers.ts'
import type { Message } from '#contract/sessions/messages.ts'
import { ageText, tookText } from '#web/messages/ages.ts'
import { type Delivery, isOnScreen, lateAfterMs } from '#web/messages/delivery.ts'
import { answersText } from '#web/text/team/answers.ts'
import { wallText } from '#web/text/team/wall.ts'

type Sector = 'dark' | 'done'

/** The delivery of a message, or the driver's reply, in one short line. */
export interface WallReceipt {
  readonly sectors: readonly [Sector, Sector, Sector]
  readonly text: string
  readonly tone: 'plain' | 'good' | 'bad'
  /** Drawn as a plate before the text. */
  readonly answer?: AnswerKind
}

/** A report without a question, such as "Pit this lap", is shown for this long; a problem until it is taken back. */
const reportShownMs = 120_000

/** Returns the driver's report or answer if there is one, else the delivery. */
export function laneReceipt(
  message: Message,
  delivery: Delivery,
  { answer, problem }: KnownAnswers,
  nowMs: number,
): WallReceipt | null {
  if (problem?.kind === 'Problem') return answered(problem, nowMs)
  if (answer && isReport(answer) && nowMs - answer.receivedAt < reportShownMs)
    return answered(answer, nowMs)
  const isPending = delivery.stage === 'sending'
  if (!isPending && message.ask && answer?.question && answer.version === message.version)
    return answered(answer, nowMs)
  if (message.ask && isOnScreen(delivery))
    return {
      sectors: ['done', 'done', 'dark'],
      text: wallText.noAnswer(ageText(nowMs - (message.shownAt ?? message.copiedAt ?? nowMs))),
      tone: 'plain',
    }
  return receiptOf(delivery)
}

/** True after a reported problem, until the driver takes it back or the team sends the car a message. */
export function isUnanswered({ problem }: KnownAnswers, { type, sentAt }: Message): boolean {
  if (problem?.kind !== 'Problem') return false
  return type === null || sentAt === null || sentAt <= problem.receivedAt
}

function isReport({ kind }: Answer): boolean {
  return kind === 'PitThisLap' || kind === 'TakenBack'
}

function answered({ kind, at }: Answer, nowMs: number): WallReceipt {
  return {
    sectors: ['done', 'done', 'done'],
    text: answersText.ago(ageText(nowMs - at)),
    tone: kind === 'Problem' ? 'bad' : 'good',
    answer: kind,
  }
}

function receiptOf(delivery: Delivery): WallReceipt | null {
  switch (delivery.stage) {
    case 'none':
      return null
    case 'sending':
      return { sectors: ['dark', 'dark', 'dark'], text: wallText.sending, tone: 'plain' }
    case 'sent':
      return {
        sectors: ['done', 'dark', 'dark'],
        text: wallText.sent(ageText(delivery.ageMs)),
        tone: delivery.ageMs >= lateAfterMs ? 'bad' : 'plain',
      }
    case 'reached':
      return {
        sectors: ['done', 'dark', 'dark'],
        text: wallText.onPhone(ageText(delivery.ageMs)),
        tone: 'bad',
      }
    case 'expired':
      return { sectors: ['dark', 'dark', 'dark'], text: wallText.notDelivered, tone: 'bad' }
    case 'shown':
      return {
        sectors: ['done', 'done', 'dark'],
        text: wallText.onScreen(tookText(delivery.tookMs)),
        tone: 'plain',
      }
    case 'copied':
      return { sectors: ['done', 'done', 'done'], text: wallText.acknowledged, tone: 'good' }
  }
}
