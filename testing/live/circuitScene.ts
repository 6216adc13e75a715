import { expect } from 'vitest'
import type { SessionCircuit } from '#contract/circuits.ts'
import type { SessionId, TeamId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import { drivenFixes, startEarlier, uploadFixes } from './drivenLaps.ts'
import { heldClock } from './heldClock.ts'
import { liveScene } from './liveScene.ts'

/** Ana and her driver Leo. Their sessions get laps and circuits when the held clock is advanced. */
export async function circuitScene() {
  const clock = heldClock()
  const scene = await liveScene(clock)

  /** A session that began two hours ago. */
  async function pastSession() {
    const { session, team } = await scene.newSession()
    const startMs = (await startEarlier(scene.app, session)) + 1000
    return { sessionId: session.id, teamId: team.id, startMs }
  }

  /** Another session of the driver in a team. */
  async function sessionIn(teamId: TeamId) {
    const session = await scene.leo.call.sessions.start({ teamId, name: 'Stint 2' })
    return { sessionId: session.id, startMs: (await startEarlier(scene.app, session)) + 1000 }
  }

  function laps(sessionId: SessionId): Promise<Lap[]> {
    return scene.ana.call.laps.list({ sessionId }).then(table => table.laps)
  }

  async function lapsThat(sessionId: SessionId, fit: (laps: Lap[]) => boolean): Promise<Lap[]> {
    await expect
      .poll(async () => {
        clock.pass(2000)
        return fit(await laps(sessionId))
      })
      .toBe(true)
    return laps(sessionId)
  }

  async function circuitThat(
    sessionId: SessionId,
    fit: (circuit: SessionCircuit | null) => boolean = circuit => circuit !== null,
  ): Promise<SessionCircuit> {
    await expect
      .poll(async () => {
        clock.pass(2000)
        return fit(await scene.ana.call.circuits.ofSession({ sessionId }))
      })
      .toBe(true)
    return (await scene.ana.call.circuits.ofSession({ sessionId }))!
  }

  /** A session of six laps on a circuit that is not shipped. */
  async function learnedSession() {
    const past = await pastSession()
    const fixes = drivenFixes(past.startMs, { laps: 6, elsewhere: true })
    await uploadFixes(scene.leo, past.sessionId, fixes)
    await lapsThat(past.sessionId, ({ length }) => length >= 4)
    const circuit = await circuitThat(past.sessionId)
    return { ...past, fixes, circuit }
  }

  async function moveLine(sessionId: SessionId, at: number) {
    const { circuit } = await scene.leo.call.circuits.setGate({ sessionId, gate: 'line', at })
    return circuit
  }

  return {
    scene,
    clock,
    pastSession,
    sessionIn,
    laps,
    lapsThat,
    circuitThat,
    learnedSession,
    moveLine,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  }
}
