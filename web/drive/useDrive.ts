import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Driver } from '#client/driver/driver.ts'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { isFinal } from '#contract/shared/refusals.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { pageClock } from '#web/device/pageClock.ts'
import { textStore } from '#web/device/textStore.ts'
import { isVisible } from '#web/device/visibility.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useLiveSession } from '#web/live/useSession.ts'

/** State of the attempt to drive this session. */
type Drive =
  | { readonly state: 'loading' }
  | { readonly state: 'driving'; readonly driver: Driver }
  | { readonly state: 'ended' | 'not-the-driver' | 'not-found' | 'removed' }
  /** A screen opened later drives the session; this one can take over again. */
  | { readonly state: 'elsewhere'; readonly retry: () => void }
  | { readonly state: 'not-loaded'; readonly retry: () => void }

/** Makes this device the phone in the car while the screen is mounted. */
export function useDrive(sessionId: string): Drive {
  const channel = useChannel()
  const driver = useMemo(
    () =>
      new Driver({
        channel,
        sessionId,
        clock: pageClock,
        store: textStore,
        isVisible,
      }),
    [channel, sessionId],
  )
  const { drive, fetched } = useServerDrive(driver, sessionId)
  const { message } = useDriverMessage(driver)
  // Runs before the first paint, so that known state is shown at once.
  useLayoutEffect(() => driver.start(), [driver])
  useLayoutEffect(() => {
    if (fetched) driver.message.merge(fetched.message)
  }, [driver, fetched])

  const notLoaded = drive.state === 'not-loaded'
  const mayDrive = drive.state === 'driving' || drive.state === 'loading' || notLoaded
  const over = !mayDrive && drive.state !== 'elsewhere'
  useEffect(() => {
    if (notLoaded) driver.message.showStored()
    if (over) driver.forget()
  }, [driver, notLoaded, over])
  if (mayDrive && message) return { state: 'driving', driver }
  return drive.state === 'driving' ? { state: 'loading' } : drive
}

/** Returns the driver's current message state. */
export function useDriverMessage({ message }: Driver): DriverMessageState {
  return useSyncExternalStore(
    listener => message.onChange(listener),
    () => message.state,
  )
}

function useServerDrive(driver: Driver, sessionId: string) {
  const query = useQuery(sessionQuery(sessionId))
  const liveStatus = useLiveSession(sessionId, ({ session }) => session?.status ?? null)
  const [refused, setRefused] = useState<RefusalCode | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => driver.drive(setRefused), [driver, attempt])

  const fetched = query.data ?? null
  const retry = () => {
    setRefused(null)
    setAttempt(attempt + 1)
  }
  const isComplete = liveStatus === 'Complete' || fetched?.status === 'Complete'
  const isKnown = liveStatus !== null || fetched !== null
  const drive = isComplete
    ? ({ state: 'ended' } as const)
    : (refusedDrive(refused, isKnown, retry) ??
      (isKnown ? ({ state: 'driving', driver } as const) : pendingDrive(query)))
  return { drive, fetched }
}

function refusedDrive(
  refused: RefusalCode | null,
  isKnown: boolean,
  retry: () => void,
): Drive | null {
  if (refused === 'session-ended') return { state: 'ended' }
  if (refused === 'not-the-driver') return { state: 'not-the-driver' }
  // A session that was open before: the driver left the team or was removed.
  if (refused === 'not-a-member' && isKnown) return { state: 'removed' }
  if (refused !== null && isFinal(refused)) return { state: 'not-found' }
  return refused === 'driven-elsewhere' ? { state: 'elsewhere', retry } : null
}

interface SessionQuery {
  readonly error: Error | null
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

function pendingDrive({ error, isFetching, refetch }: SessionQuery): Drive {
  if (!error || isFetching) return { state: 'loading' }
  return error instanceof CallRefused && error.isInaccessible
    ? { state: 'not-found' }
    : { state: 'not-loaded', retry: () => void refetch() }
}
