import { lazy } from 'react'
import { useParams } from 'react-router'
import { LapsScreen } from '#web/features/laps/LapsScreen.tsx'

const Replay = lazy(async () => ({ default: (await import('./Replay.tsx')).Replay }))

/** The laps of a session, and its replay: a route of its own would add to what every screen loads first. */
export function Laps() {
  return useParams()['*'] === 'replay' ? <Replay /> : <LapsScreen />
}
