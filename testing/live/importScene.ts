import { expect } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { ImportedRecording } from '#contract/positions.ts'
import { RefusalBody } from '#contract/refusal.ts'
import { gpxWriter } from '#racing/formats/write/writeGpx.ts'
import { importRecording } from '../files/recordings.ts'
import type { Person } from '../people/person.ts'
import { drivenFixes } from './drivenLaps.ts'
import { heldClock } from './heldClock.ts'
import { type LiveScene, liveScene } from './liveScene.ts'

/** The values of an import that a test need not name. */
type Values = Omit<Parameters<typeof importRecording>[2], 'name'> & { name?: string }

/** Ana and Leo import recordings, whose laps are timed when the held clock is advanced. */
export async function importScene() {
  const clock = heldClock()
  const scene: LiveScene = await liveScene(clock)

  /** Imports a recording; throws its refusal. */
  async function send({ jar }: Person, values: Values): Promise<ImportedRecording> {
    const response = await importRecording(scene.app.url, jar, { name: 'Old race', ...values })
    const body: unknown = await response.json()
    if (response.ok) return ImportedRecording.parse(body)
    throw Object.assign(new Error('refused'), RefusalBody.parse(body))
  }

  const readLaps = (sessionId: SessionId) => scene.ana.call.laps.list({ sessionId })

  /** Returns the laps of a session once they are timed. */
  async function timedLaps(sessionId: SessionId) {
    await expect
      .poll(async () => {
        clock.pass(2000)
        return (await readLaps(sessionId)).pending
      })
      .toBe(false)
    return readLaps(sessionId)
  }

  /** Imports a recording into a new team, and returns its laps once they are timed. */
  async function importedLaps(file: string) {
    const { team } = await scene.newSession()
    const { sessionId } = await send(scene.leo, { teamId: team.id, file })
    return { sessionId, ...(await timedLaps(sessionId)) }
  }

  return {
    ...scene,
    clock,
    send,
    timedLaps,
    importedLaps,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  }
}
export type ImportScene = Awaited<ReturnType<typeof importScene>>

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
