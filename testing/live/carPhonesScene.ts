import { randomUUID } from 'node:crypto'
import type { MessageType } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { addMember } from '../people/addMember.ts'
import { createRace } from '../people/createRace.ts'
import type { Person } from '../people/person.ts'
import { type LiveScene, subscribedConnection } from './liveScene.ts'

export type CarPhones = Awaited<ReturnType<typeof twoPhones>>

/**
 * Prepares a race in which Leo's phone is in car 17, and Mia starts a session for the same car. Both phones drive, and Ana
 * watches both sessions.
 */
export async function twoPhones(scene: LiveScene, settings: { dataLink?: boolean } = {}) {
  const { ana, leo } = scene
  const { team, session: first, car, marta, theo } = await scene.newSessionWithRoster()
  const mia = await scene.app.person('Mia')
  await addMember(ana, team.id, mia)
  await createRace(ana, team.id)
  const start = { teamId: team.id, name: 'Other phone', carId: car.id, driverId: theo.id }
  const second = await mia.call.sessions.start({ ...start, ...settings })
  const leoPhone = await (await leo.connect()).keepAlive().drive(first.id)
  const miaPhone = await (await mia.connect()).keepAlive().drive(second.id)
  const wall = await subscribedConnection(ana, `session:${first.id}`)
  await wall.subscribe(`session:${second.id}`)

  /** Sends a message to the car from the page of a session. */
  const press = (
    session: Pick<Session, 'id'>,
    type: MessageType | null,
    more: { commandId?: string; toCar?: boolean; ask?: boolean } = {},
    person: Person = ana,
  ) =>
    person.call.messages.set({
      sessionId: session.id,
      type,
      commandId: randomUUID(),
      ...more,
    })
  /** Ana decides which phone is in the car from now on; null: none. */
  const putInCar = (phone: Pick<Session, 'id'> | null) =>
    ana.call.carRaces.correctRuns({
      sessionId: first.id,
      correctionId: randomUUID(),
      decisions: [{ phone: phone?.id ?? null, from: Date.now(), until: null }],
    })
  /** Mia's phone may be in the car, because Leo's is silent. */
  const beUnsure = () =>
    scene.app.database.db
      .updateTable('car_runs')
      .set({ unsure: [second.id] })
      .where('session_id', '=', first.id)
      .where('until_at', 'is', null)
      .execute()
  const typesOf = async ({ id: sessionId }: Pick<Session, 'id'>) =>
    (await ana.call.messages.log({ sessionId })).map(({ type }) => type).reverse()
  const people = { team, car, marta, theo, mia }
  return {
    ...people,
    first,
    second,
    leoPhone,
    miaPhone,
    wall,
    press,
    putInCar,
    beUnsure,
    typesOf,
  }
}
