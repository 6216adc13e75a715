import { useSyncExternalStore } from 'react'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { driverChangesOf } from '#web/offline/driverChangesOf.ts'
import { refusedText } from './refusedText.ts'

/** Shows that a driver change was refused, where a notice has taken the place of the drive screen. */
export function RefusedChange({ sessionId }: { sessionId: string }) {
  const changes = driverChangesOf(useChannel())
  const refused = useSyncExternalStore(
    listener => changes.onChange(listener),
    () => changes.refused,
  )
  return <output>{refused?.sessionId === sessionId && refusedText(refused)}</output>
}
