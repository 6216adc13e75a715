import { randomUUID } from 'node:crypto'
import type { SessionId } from '#contract/ids.ts'
import type { FixUp, RoomName } from '#contract/live.ts'
import type { MessageType } from '#contract/messages.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { Session } from '#contract/sessions.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { testApp } from '../app.ts'
import { addMember } from '../people/addMember.ts'
import { createRace } from '../people/createRace.ts'
import { createTeam } from '../people/createTeam.ts'
import type { Person } from '../people/person.ts'
import { addCar, addDriver } from '../people/roster.ts'

export type LiveScene = Awaited<ReturnType<typeof liveScene>>

/** Starts the whole server with two users: Ana, a member of each team, and Leo, its driver. */
export async function liveScene(clock?: Clock) {
  const app = await testApp({}, undefined, clock)
  const ana = await app.person('Ana')
  const leo = await app.person('Leo')
  async function newTeam() {
    await app.forgetLimits()
    return createTeam(ana, [leo], 'Night Owls')
  }
  return {
    app,
    ana,
    leo,
    /** Creates a team of Ana's with Leo and starts a session of his. */
    async newSession() {
      const team = await newTeam()
      const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
      return { team, session }
    },
    /** The same, with a car and the first of two drivers of the team's roster. */
    async newSessionWithRoster() {
      const team = await newTeam()
      const teamId = team.id
      const car = await addCar(ana, teamId, '17')
      const marta = await addDriver(ana, teamId, 'Marta Lindqvist')
      const theo = await addDriver(ana, teamId, 'Théo Garnier')
      const chosen = { carId: car.id, driverId: marta.id }
      const session = await leo.call.sessions.start({ teamId, name: 'Zolder 6 hours', ...chosen })
      return { team, session, car, marta, theo }
    },
    /** Connects Leo's phone and drives this session. */
    async drivingConnection(session: SessionId) {
      const connection = await leo.connect()
      return connection.drive(session)
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** Opens a connection that is subscribed to this room and has received its snapshot. */
export async function subscribedConnection(person: Person, room: RoomName) {
  const connection = await person.connect()
  await connection.subscribe(room)
  return connection
}

/** The state of a phone that works. */
export const phoneState: PhoneState = {
  drivingSince: 1,
  count: 1,
  presence: 'shown',
  presenceSince: 1,
  gps: 'good',
  gpsSince: 1,
  battery: { percent: 80, charging: false },
}

/** A fix on the track at Spa, taken now. */
export function fix(values: Partial<FixUp> = {}): FixUp {
  return { t: 'fix', at: Date.now(), la: 50.4372, lo: 5.9714, v: 187, ac: 4, ...values }
}

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
  /** Ana decides which phone is in the car from this moment; null: none. */
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
  const phones = { first, second, leoPhone, miaPhone, wall }
  return { team, car, marta, theo, mia, ...phones, press, putInCar, beUnsure, typesOf }
}
