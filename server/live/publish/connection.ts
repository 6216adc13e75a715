import type { UserId } from '#contract/ids.ts'
import type { CloseCode } from '#contract/shared/liveRules.ts'
import type { Frame } from './frame.ts'

/** One open connection to one browser or device. */
export interface Connection {
  /** A random id, also in the log as `connectionId`. */
  readonly id: string
  readonly userId: UserId
  readonly loginId: string
  /** True if nobody in particular sees it: a television is not listed among those who watch. */
  readonly isTelevision?: boolean
  /** False from `close` on. */
  readonly isOpen: boolean
  /** Bytes written but not yet sent. */
  readonly backlogBytes: number
  send(frame: Frame): void
  /** Buffers frames until `release`, which writes them together. */
  hold(): void
  release(): void
  close(code: CloseCode): void
}
