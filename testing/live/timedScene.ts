import { expect } from 'vitest'
import type { SessionCircuit } from '#contract/circuits.ts'
import type { SessionId, TeamId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import { ImportedRecording } from '#contract/positions.ts'
import { RefusalBody } from '#contract/refusal.ts'
import { gpxWriter } from '#racing/formats/write/writeGpx.ts'
import { importRecording } from '../files/recordings.ts'
import type { Person } from '../people/person.ts'
import { drivenFixes, startEarlier, uploadFixes } from './drivenLaps.ts'
import { heldClock } from './heldClock.ts'
import { liveScene } from './liveScene.ts'

/** The values of an import that a test need not name. */
type Values = Omit<Parameters<typeof importRecording>[2], 'name'> & { name?: string }

export type TimedScene = Awaited<ReturnType<typeof timedScene>>

/** Ana and her driver Leo, who upload drives and import recordings: laps and circuits follow as the held clock passes. */
export async function timedScene() {
  const clock = heldClock()
  const scene = await liveScene(clock)
  const { ana, leo } = scene

  /** Passes time until this is true. */
  async function passUntil(isDone: () => Promise<boolean>) {
    await expect
      .poll(() => {
        clock.pass(2000)
        return isDone()
      })
      .toBe(true)
  }

  /** A session that began two hours ago. */
  async function pastSession() {
    const { session, team } = await scene.newSession()
    const startMs = (await startEarlier(scene.app, session)) + 1000
    return { sessionId: session.id, teamId: team.id, startMs }
  }

  /** Another session of the driver in a team. */
  async function sessionIn(teamId: TeamId) {
    const session = await leo.call.sessions.start({ teamId, name: 'Stint 2' })
    return { sessionId: session.id, startMs: (await startEarlier(scene.app, session)) + 1000 }
  }

  const readLaps = (sessionId: SessionId) => ana.call.laps.list({ sessionId })

  const laps = async (sessionId: SessionId): Promise<Lap[]> => (await readLaps(sessionId)).laps

  async function lapsThat(sessionId: SessionId, fit: (laps: Lap[]) => boolean): Promise<Lap[]> {
    await passUntil(async () => fit(await laps(sessionId)))
    return laps(sessionId)
  }

  /** Returns the laps of a session once they are timed. */
  async function timedLaps(sessionId: SessionId) {
    await passUntil(async () => !(await readLaps(sessionId)).pending)
    return readLaps(sessionId)
  }

  async function circuitThat(
    sessionId: SessionId,
    fit: (circuit: SessionCircuit | null) => boolean = circuit => circuit !== null,
  ): Promise<SessionCircuit> {
    await passUntil(async () => fit(await ana.call.circuits.ofSession({ sessionId })))
    return (await ana.call.circuits.ofSession({ sessionId }))!
  }

  /** A session of six laps on a circuit that is not shipped. */
  async function learnedSession() {
    const past = await pastSession()
    const fixes = drivenFixes(past.startMs, { laps: 6, elsewhere: true })
    await uploadFixes(leo, past.sessionId, fixes)
    await lapsThat(past.sessionId, ({ length }) => length >= 4)
    return { ...past, fixes, circuit: await circuitThat(past.sessionId) }
  }

  /** Imports a recording; throws its refusal. */
  async function send({ jar }: Person, values: Values): Promise<ImportedRecording> {
    const response = await importRecording(scene.app.url, jar, { name: 'Old race', ...values })
    const body: unknown = await response.json()
    if (response.ok) return ImportedRecording.parse(body)
    throw Object.assign(new Error('refused'), RefusalBody.parse(body))
  }

  /** Imports a recording into a new team, and returns its laps once they are timed. */
  async function importedLaps(file: string) {
    const { team } = await scene.newSession()
    const { sessionId } = await send(leo, { teamId: team.id, file })
    return { sessionId, ...(await timedLaps(sessionId)) }
  }

  return {
    ...scene,
    clock,
    pastSession,
    sessionIn,
    laps,
    lapsThat,
    timedLaps,
    circuitThat,
    learnedSession,
    send,
    importedLaps,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  }
}

/** A drive at Zolder, as a GPX file. */
export function gpxRecording(startMs: number, laps = 5) {
  const written = drivenFixes(startMs, { laps }).map(fix => ({
    at: fix.at,
    latitude: fix.latitude ?? 0,
    longitude: fix.longitude ?? 0,
    speedKmh: fix.speedKmh,
    accuracyM: null,
    headingDeg: null,
    lap: null,
  }))
  const writer = gpxWriter({
    title: 'Old',
    driver: '',
    circuit: '',
    startedAt: startMs,
    line: null,
  })
  return { text: writer.head() + writer.rows(written) + writer.foot(), written }
}
