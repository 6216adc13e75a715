import { useMemo, useSyncExternalStore } from 'react'
import type { Channel } from '#client/channel/channel.ts'
import { type KnownAnswers, SessionAnswers } from '#client/channel/sessionAnswers.ts'
import { useChannel } from './LiveProvider.tsx'

/** Follows the newest answers of the drivers of some sessions, in their order. Returns the same list until one changes. */
export function useAnswers(sessionIds: readonly string[]): readonly KnownAnswers[] {
  const channel = useChannel()
  const ids = sessionIds.join(' ')
  const followed = useMemo(() => new FollowedAnswers(channel, ids.split(' ')), [channel, ids])
  return useSyncExternalStore(followed.onChange, followed.state)
}

/** The answers of several sessions, as one store for React. */
class FollowedAnswers {
  readonly #answers: readonly SessionAnswers[]
  #state: readonly KnownAnswers[] = []

  constructor(channel: Channel, ids: readonly string[]) {
    this.#answers = ids.map(id => new SessionAnswers(channel, id))
  }

  readonly onChange = (listener: () => void): (() => void) => {
    const undo = this.#answers.flatMap(each => [each.onChange(listener), each.start()])
    return () => undo.forEach(each => each())
  }

  readonly state = (): readonly KnownAnswers[] => {
    const now = this.#answers.map(({ state }) => state)
    const isSame = this.#state.length > 0 && now.every((each, index) => each === this.#state[index])
    if (!isSame) this.#state = now
    return this.#state
  }
}
