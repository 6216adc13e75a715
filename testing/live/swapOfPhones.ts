import type { Fix } from '#contract/positions.ts'
import { createRace } from '../people/createRace.ts'
import { startEarlier, uploadFixes } from './drivenLaps.ts'
import type { LiveScene } from './liveScene.ts'
import { pitRace, reportedFixes } from './pitRace.ts'

const drive = pitRace([{}, {}, { pitStopS: 90 }, {}, {}])

/** Times of the swap since the start of the drive: the next phone is taken into the car in the box. */
export const swap = {
  atMs: drive.visits[0]!.stop!.fromMs + 40_000,
  leftPitsMs: drive.visits[0]!.endedAtMs,
  /** The first crossing of the line. */
  lineMs: drive.crossingsMs[0]!,
}

/** Starts a race with two phones of one car, of which neither has reported yet. The next one is that of Théo. */
export async function swapOfPhones(scene: LiveScene) {
  const { ana, leo } = scene
  const { team, session, car, marta, theo } = await scene.newSessionWithRoster()
  const teamId = team.id
  const chosen = { carId: car.id, driverId: theo.id }
  const next = await ana.call.sessions.start({ teamId, name: 'Next phone', ...chosen })
  const startMs = (await startEarlier(scene.app, session)) + 1000
  await startEarlier(scene.app, next)
  await createRace(ana, teamId, { hours: 6, at: startMs })
  const stored = () => ana.call.carRaces.ofSession({ sessionId: session.id })
  const upload = {
    first: (fixes: readonly Fix[]) => uploadFixes(leo, session.id, fixes),
    next: (fixes: readonly Fix[]) => uploadFixes(ana, next.id, fixes),
  }
  const fixes = reportedFixes(drive, startMs)
  const before = fixes.filter(({ at }) => at < startMs + swap.atMs)
  const reported = {
    first: [...before, ...inGarage(before, fixes.at(-1)!.at)],
    next: fixes.slice(before.length),
  }
  return { team, session, next, marta, theo, startMs, stored, upload, reported }
}

/** The phone that is taken out of the car stays in the garage. */
function inGarage(fixes: readonly Fix[], untilMs: number): Fix[] {
  const last = fixes.at(-1)!
  const seconds = Math.floor((untilMs - last.at) / 1000)
  return Array.from({ length: seconds }, (_, n) => ({
    ...last,
    at: last.at + (n + 1) * 1000,
    speedKmh: 0,
  }))
}
