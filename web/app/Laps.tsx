import { lazy } from 'react'
import { useParams } from 'react-router'
import { LapsScreen } from '#web/laps/LapsScreen.tsx'

const Replay = lazy(async () => ({ default: (await import('./Replay.tsx')).Replay }))

const Stints = lazy(async () => ({
  default: (await import('#web/race/StintsScreen.tsx')).StintsScreen,
}))

/** The laps of a session, its replay and its stints: routes of their own would add to what every screen loads first. */
export function Laps() {
  const part = useParams()['*']
  if (part === 'replay') return <Replay />
  return part === 'stints' ? <Stints /> : <LapsScreen />
}
