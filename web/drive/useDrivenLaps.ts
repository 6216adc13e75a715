import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Channel } from '#client/channel/channel.ts'
import type { DriverFixes } from '#client/fixes/driverFixes.ts'
import { followData } from '#web/api/followData.ts'
import { sessionCircuitQuery } from '#web/circuits/circuitQueries.ts'
import { textStore } from '#web/device/textStore.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { unsentFixesOf } from '#web/offline/fixStore.ts'
import { carRaceQuery } from '#web/race/carRaceQuery.ts'
import { lapsQuery, useLaps } from '#web/race/useLaps.ts'
import { DrivenLaps } from './drivenLaps.ts'
import { deleteStoredLaps, drivenCircuit } from './storedLaps.ts'

/** Times the laps of this phone while the screen is mounted. The caller keeps the race and the circuit requested. */
export function useDrivenLaps(sessionId: string, fixes: DriverFixes): DrivenLaps {
  const channel = useChannel()
  const client = useQueryClient()
  const laps = useMemo(
    () => new DrivenLaps({ sessionId, serverClock: channel.clock, store: textStore }),
    [channel, sessionId],
  )
  useLaps(sessionId)
  useEffect(() => {
    const undo = [
      followReadings(laps, fixes, { userId: channel.userId, sessionId }),
      followSession(laps, channel, sessionId),
      followQueries(laps, client, sessionId),
    ]
    return () => {
      for (const each of undo) each()
      // The session's end closes this screen.
      if (channel.session(sessionId).session?.status === 'Complete') deleteStoredLaps(textStore)
    }
  }, [laps, fixes, channel, client, sessionId])
  return laps
}

/** Returns the selected part. The component renders again only when that part changes. */
export function useDriven<T>(laps: DrivenLaps, select: (laps: DrivenLaps) => T): T {
  return useSyncExternalStore(laps.onChange, () => select(laps))
}

/** Adds the readings of this page, after those that an earlier page could not send. */
function followReadings(
  laps: DrivenLaps,
  fixes: DriverFixes,
  driven: { userId: string; sessionId: string },
): () => void {
  const drive = new AbortController()
  const undo = fixes.onReading(fix => laps.add(fix))
  // Without storage nothing was kept.
  const unsent = unsentFixesOf(driven).catch(() => [])
  void unsent.then(each => laps.recover(each, drive.signal))
  return () => {
    drive.abort()
    undo()
  }
}

/** The session's message, the official flag on its glass, and with what it compares laps. */
function followSession(laps: DrivenLaps, channel: Channel, sessionId: string): () => void {
  const follow = () => {
    const { session, official } = channel.session(sessionId)
    if (official) laps.setFlag(official.flag)
    if (!session) return
    laps.setMessage(session.message)
    laps.setComparison({ with: session.lapReference, targetMs: session.targetLapMs })
  }
  follow()
  return channel.follow(sessionId, follow)
}

/** The laps, visits to the pits and circuit that the server knows. */
function followQueries(laps: DrivenLaps, client: QueryClient, sessionId: string): () => void {
  const undo = [
    followData(client, lapsQuery(sessionId), table => laps.setTable(table ?? null)),
    followData(client, carRaceQuery(sessionId), race => {
      const own = race?.phones.find(phone => phone.sessionId === sessionId)
      if (own) laps.setVisits(own.visits)
    }),
    followData(client, sessionCircuitQuery(sessionId), circuit =>
      laps.setCircuit(circuit ? drivenCircuit(circuit) : null),
    ),
  ]
  return () => undo.forEach(each => each())
}
