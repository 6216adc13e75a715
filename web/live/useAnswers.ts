import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { type KnownAnswers, SessionAnswers } from '#client/channel/sessionAnswers.ts'
import { useChannel } from './LiveProvider.tsx'

/** The newest answers of a session's driver. */
export function useAnswers(sessionId: string): KnownAnswers {
  const channel = useChannel()
  const answers = useMemo(() => new SessionAnswers(channel, sessionId), [channel, sessionId])
  useEffect(() => answers.start(), [answers])
  return useSyncExternalStore(
    listener => answers.onChange(listener),
    () => answers.state,
  )
}
