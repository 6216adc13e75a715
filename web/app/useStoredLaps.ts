import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CallRefused } from '#web/api/callRefused.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { textStore } from '#web/device/textStore.ts'
import { deleteUntimedLaps } from '../drive/storedLaps.ts'

/** Deletes laps that the drive screen stored, once their session is not timed any more. */
export function useStoredLaps() {
  const client = useQueryClient()
  useEffect(() => {
    const isTimed = async (sessionId: string) => {
      try {
        const { lapTiming, status } = await client.fetchQuery(sessionQuery(sessionId))
        return lapTiming && status === 'Active'
      } catch (reason) {
        return reason instanceof CallRefused && reason.isInaccessible ? false : null
      }
    }
    void deleteUntimedLaps(textStore, isTimed)
  }, [client])
}
