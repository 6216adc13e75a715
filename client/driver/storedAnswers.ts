import type { AnswerKind } from '#contract/answers.ts'
import { answerKinds } from '#contract/shared/messageTypes.ts'
import { type DeviceTime, isDeviceTime } from '../deviceTime.ts'
import { answersKey } from '../storedKeys.ts'
import { StoredQueue } from '../storedQueue.ts'
import type { TextStore } from '../textStore.ts'

/** An answer not known to be on the server, with the time of the decision. */
export interface DueAnswer extends DeviceTime {
  readonly id: string
  readonly kind: AnswerKind
  /** Version of the newest message that the phone knew. */
  readonly version: number
}

/** Maximum number of answers stored on the device: far more than a driver gives in a dead zone. */
export const maxStoredAnswers = 100

/** Returns the unsent answers of a session that this user drove on this device, the oldest first. */
export function queueOfAnswers(store: TextStore, owner: { userId: string; sessionId: string }) {
  return new StoredQueue<DueAnswer>({
    store,
    key: answersKey,
    owner,
    isItem: value =>
      typeof value.id === 'string' &&
      answerKinds.some(kind => kind === value.kind) &&
      Number.isInteger(value.version) &&
      Number(value.version) >= 0 &&
      isDeviceTime(value),
    max: maxStoredAnswers,
    isSame: (one, other) => one.id === other.id,
  })
}
