import type { AnswerKind } from '#contract/answers.ts'
import { answerKinds } from '#contract/shared/messageTypes.ts'
import { type DeviceTime, isDeviceTime } from '../deviceTime.ts'
import { answersKey } from '../storedKeys.ts'
import { isRecord, readJson, type TextStore } from '../textStore.ts'

/** An answer not known to be on the server, with the time of the decision. */
export interface DueAnswer extends DeviceTime {
  readonly id: string
  readonly kind: AnswerKind
  /** Version of the newest message that the phone knew. */
  readonly version: number
}

interface StoredAnswer extends DueAnswer {
  readonly userId: string
  readonly sessionId: string
}

/** Maximum number of answers stored on the device: far more than a driver gives in a dead zone. */
export const maxStoredAnswers = 100

/** The driver and session that answers belong to. */
export interface AnswerOwner {
  readonly userId: string
  readonly sessionId: string
}

/** Reads the unsent answers of a session that this user drove on this device, the oldest first. */
export function readAnswers(store: TextStore, owner: AnswerOwner): DueAnswer[] {
  return allStored(store)
    .filter(each => isOf(each, owner))
    .map(({ userId: _user, sessionId: _session, ...answer }) => answer)
}

/** Replaces the unsent answers of a session. Those of other sessions and users stay. */
export function storeAnswers(store: TextStore, owner: AnswerOwner, due: readonly DueAnswer[]) {
  const others = allStored(store).filter(each => !isOf(each, owner))
  const stored = [...others, ...due.map(answer => ({ ...answer, ...owner }))]
  if (stored.length === 0) store.remove(answersKey)
  else store.write(answersKey, JSON.stringify(stored.slice(-maxStoredAnswers)))
}

function isOf(stored: StoredAnswer, { userId, sessionId }: AnswerOwner): boolean {
  return stored.userId === userId && stored.sessionId === sessionId
}

function allStored(store: TextStore): StoredAnswer[] {
  const stored = readJson(store, answersKey)
  return Array.isArray(stored) ? stored.filter(isStored) : []
}

function isStored(value: unknown): value is StoredAnswer {
  return (
    isRecord(value) &&
    ['userId', 'sessionId', 'id'].every(key => typeof value[key] === 'string') &&
    answerKinds.some(kind => kind === value.kind) &&
    typeof value.version === 'number' &&
    Number.isInteger(value.version) &&
    value.version >= 0 &&
    isDeviceTime(value)
  )
}
