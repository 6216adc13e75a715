import { onTestFinished } from 'vitest'
import type { MessageType } from '#contract/messages.ts'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { driveAround } from '#testing/drives.ts'
import { type LiveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { cookieName } from '#testing/people/logins.ts'
import type { Person } from '#testing/people/person.ts'
import { type CarOptions, startCar } from '../car.ts'

export const spa = driveAround(spaFrancorchamps)

/** Starts a session that Leo drives, and a team member's live connection. */
export async function carScene(live: LiveScene) {
  const { app, ana, leo } = live
  const { session } = await live.newSession()
  const sessionId = session.id
  return {
    session,
    team: await subscribedConnection(ana, `session:${sessionId}`),
    /** Starts a car on Spa, which stops with the test. */
    startCar(options?: Partial<CarOptions>) {
      const car = startCar({
        url: app.url,
        token: tokenOf(leo),
        userId: leo.id,
        sessionId,
        drive: spa,
        hz: 8,
        ...options,
      })
      onTestFinished(() => car.stop())
      return car
    },
    /** Sends a message as the team, or clears it; returns its version. */
    async send(type: MessageType | null) {
      const commandId = crypto.randomUUID()
      return (await ana.call.messages.set({ sessionId, type, commandId })).version
    },
  }
}

/** A token of this person's login, which a device sends as a bearer token. */
export function tokenOf({ jar }: Person): string {
  return jar.get(cookieName) ?? ''
}
