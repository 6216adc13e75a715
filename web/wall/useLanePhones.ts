import { useMemo, useSyncExternalStore } from 'react'
import type { Channel } from '#client/channel/channel.ts'
import { type KnownAnswers, SessionAnswers } from '#client/channel/sessionAnswers.ts'
import type { Session } from '#contract/sessions.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

/** An active phone of a car. */
export interface LanePhone {
  /** Its session as it is now. */
  readonly session: Session
  readonly answers: KnownAnswers
  /** The server's time of the newest test flash of its driver, if any was received. */
  readonly testedAt: number | null
}

/** Follows the phones of a car live. Returns the same list until one of them changes. */
export function useLanePhones(listed: readonly Session[]): readonly LanePhone[] {
  const channel = useChannel()
  const ids = listed.map(({ id }) => id).join(' ')
  const phones = useMemo(
    () => new LivePhones(channel, ids === '' ? [] : ids.split(' ')),
    [channel, ids],
  )
  const live = useSyncExternalStore(phones.onChange, phones.live)
  return useMemo(
    () =>
      listed.flatMap((session, index) => {
        const phone = live[index]
        return phone ? { ...phone, session: phone.session ?? session } : []
      }),
    [listed, live],
  )
}

interface LivePhone extends Omit<LanePhone, 'session'> {
  /** Null before the first snapshot. */
  readonly session: Session | null
}

/** Sessions with the answers of their drivers, as one store for React. */
class LivePhones {
  readonly #channel: Channel
  readonly #answers: readonly (readonly [string, SessionAnswers])[]
  #live: readonly LivePhone[] = []

  constructor(channel: Channel, ids: readonly string[]) {
    this.#channel = channel
    this.#answers = ids.map(id => [id, new SessionAnswers(channel, id)])
  }

  readonly onChange = (listener: () => void): (() => void) => {
    const undo = this.#answers.flatMap(([id, answers]) => [
      this.#channel.follow(id, listener),
      answers.onChange(listener),
      answers.start(),
    ])
    return () => undo.forEach(each => each())
  }

  /** The same list until a session or its answers change: not with each of its fixes. */
  readonly live = (): readonly LivePhone[] => {
    const now = this.#answers.map(([id, { state }]) => {
      const { session, testedAt } = this.#channel.session(id)
      return { session, testedAt, answers: state }
    })
    const isSame = now.every(({ session, answers, testedAt }, index) => {
      const known = this.#live[index]
      return known?.session === session && known.answers === answers && known.testedAt === testedAt
    })
    if (!isSame) this.#live = now
    return this.#live
  }
}
