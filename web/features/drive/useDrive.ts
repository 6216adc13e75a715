import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Message } from '#contract/messages.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { learnMessage } from '#web/live/messageState.ts'
import { useLine } from '#web/live/useLive.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { forgetMessage, keepMessage, keptMessage } from './keptMessage.ts'

/** What became of the wish to drive this session. */
type Drive =
  | { readonly state: 'loading' }
  | { readonly state: 'driving'; readonly message: Message }
  | { readonly state: 'ended' | 'not-the-driver' | 'not-found' }
  /** On a screen that was opened later; it can be taken over again. */
  | { readonly state: 'elsewhere'; readonly retry: () => void }
  | { readonly state: 'not-loaded'; readonly retry: () => void }

/** This device is the phone in the car for as long as the screen is there. */
export function useDrive(sessionId: string): Drive {
  const drive = useServedDrive(sessionId)
  const [kept] = useState(() => keptMessage(sessionId))
  const offline = useLine() === 'down'
  const message = drive.state === 'driving' ? drive.message : null
  const over =
    drive.state === 'ended' || drive.state === 'not-the-driver' || drive.state === 'not-found'
  useEffect(() => {
    if (message) keepMessage(sessionId, message)
    else if (over) forgetMessage()
  }, [sessionId, message, over])

  // What was there last counts only where nothing newer can come: elsewhere it could be an old message.
  const unknown = drive.state === 'not-loaded' || (drive.state === 'loading' && offline)
  if (unknown && kept) return { state: 'driving', message: kept }
  // What was asked for may have been kept from an earlier visit: a message that was cleared since is no message.
  return message && kept ? { state: 'driving', message: learnMessage(message, kept) } : drive
}

function useServedDrive(sessionId: string): Drive {
  const channel = useChannel()
  const query = useQuery(sessionQuery(sessionId))
  const live = useLiveSession(sessionId, state => state.session)
  const [refused, setRefused] = useState<RefusalCode | null>(null)
  const [wish, wishAgain] = useState(0)
  useEffect(() => channel.drive(sessionId, setRefused), [channel, sessionId, wish])

  const asked = query.data ?? null
  const session = live ?? asked
  if (live?.status === 'Complete' || asked?.status === 'Complete') return { state: 'ended' }
  if (refused === 'session-ended') return { state: 'ended' }
  if (refused === 'not-the-driver') return { state: 'not-the-driver' }
  if (refused === 'not-a-member' || refused === 'not-found') return { state: 'not-found' }
  if (refused === 'driven-elsewhere') {
    const retry = () => {
      setRefused(null)
      wishAgain(wish + 1)
    }
    return { state: 'elsewhere', retry }
  }
  if (session) {
    // The phone may have been asked again after a reload: whichever of both knows more counts.
    const message = live && asked ? learnMessage(live.message, asked.message) : session.message
    return { state: 'driving', message }
  }
  if (!query.isError || query.isFetching) return { state: 'loading' }
  return isGone(query.error)
    ? { state: 'not-found' }
    : { state: 'not-loaded', retry: () => void query.refetch() }
}

function isGone(error: Error): boolean {
  return (
    error instanceof CallRefused &&
    (error.code === 'not-found' || error.code === 'not-a-member' || error.code === 'invalid-input')
  )
}
