import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { FixedCircuit } from '#racing/circuits/fixedCircuit.ts'
import { DriveTimer } from '#racing/laps/driveTimer.ts'
import { Stops } from '#racing/laps/stops.ts'
import { pitRace } from '#testing/live/pitRace.ts'
import { givenCircuit, shippedVersion } from '../circuits/circuitVersion.ts'
import { SessionTiming } from './sessionTiming.ts'

const pinned = shippedVersion('team', zolder)
const session = {
  id: 'session',
  team_id: pinned.teamId,
  status: 'Active' as const,
  date_started: new Date(0),
  positions_deleted_at: null,
  circuit_id: pinned.id,
  circuit_version: pinned.version,
  recorded_line: null,
  race_circuit_id: null,
}

test('timing stops at its limit of work, and keeps the laps until then', () => {
  let workedMs = 0
  let stepMs = 1
  const timing = new SessionTiming(session, { pinned, now: () => (workedMs += stepMs) })
  const { fixes } = pitRace([{}, {}, {}, {}, {}])
  for (const fix of fixes) {
    if (timing.laps.length === 3) stepMs = 100_000
    timing.add({ sessionId: session.id, atMs: fix.atMs, fix })
    expect(timing.stopped).toBe(stepMs === 1 ? null : 'too-much-work')
  }
  expect(timing.laps).toHaveLength(3)
})

test('visits are current after each fix', () => {
  const timing = new SessionTiming(session, { pinned })
  const drive = new DriveTimer(new FixedCircuit(givenCircuit(pinned)))
  const stops = new Stops()
  const { fixes } = pitRace([{}, { pitStopS: 60 }, {}, { pitStopS: 0 }, {}, { pitStopS: 90 }, {}])
  for (const fix of fixes) {
    timing.add({ sessionId: session.id, atMs: fix.atMs, fix })
    drive.add(fix)
    stops.add(fix)
    const visits = stops.in(drive.pitVisits, false)
    expect(timing.pitVisits).toEqual(
      visits.map(({ startedAtMs, endedAtMs, stoppedAtMs, leftAtMs }) => ({
        startedAt: Math.round(startedAtMs),
        endedAt: endedAtMs === null ? null : Math.round(endedAtMs),
        stoppedAt: stoppedAtMs,
        leftAt: leftAtMs,
      })),
    )
  }
  expect(timing.pitVisits.map(({ stoppedAt }) => stoppedAt !== null)).toEqual([true, false, true])
})
