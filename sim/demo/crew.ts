import { setTimeout as pause } from 'node:timers/promises'
import type { MessageType } from '#contract/messages.ts'
import type { Roster } from '#contract/roster.ts'
import type { Team } from '#contract/teams.ts'
import { durationMs, loopOf } from '#testing/drives.ts'
import { call } from '../api.ts'
import { type CarOptions, startCar } from '../car.ts'
import type { Member } from './people.ts'
import { begunAt, type DemoCar, type Laps, lapsOf, raceName, standingAt } from './race.ts'

interface CrewOptions {
  readonly car: DemoCar
  readonly index: number
  /** Starts the session, and holds the phone. */
  readonly holder: Member
  /** The second driver, if that one has a phone as well. */
  readonly second: Member | undefined
  readonly team: Team
  readonly roster: Roster
  /** Sends messages. */
  readonly sam: Member
  readonly print: (text: string) => void
}

/** One car of the demo with its phone, its drivers, and the crew in its box. */
export interface Crew {
  readonly sessionId: string
  /** Resolves when it was stopped, or its session ended. Never rejects. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

interface Running extends CrewOptions {
  readonly sessionId: string
  readonly laps: Laps
}

/** Starts the sessions of a car, and drives it until it is stopped or a session ends. */
export async function startCrew(options: CrewOptions): Promise<Crew> {
  const { holder, second, car, index } = options
  const { id } = await startSession(options, holder, 0)
  await call(holder.server, 'fills.setStart', { sessionId: id, litres: car.tankL })
  const running = { ...options, sessionId: id, laps: lapsOf(car, index + 1) }
  const phones = [phoneOf(running, holder, id)]
  if (second) phones.push(phoneOf(running, second, (await startSession(options, second, 1)).id))
  const stopped = new AbortController()
  const ended = second
    ? driveInTurn(running, phones, stopped.signal)
    : drive(running, stopped.signal)
  return {
    sessionId: id,
    ended,
    stop() {
      stopped.abort()
      return ended
    },
  }
}

/** Starts the session of a phone, whose holder drives after a number of stops. */
function startSession({ team, car, roster }: CrewOptions, holder: Member, stops: number) {
  const carId = roster.cars.find(({ number }) => number === car.number)?.id ?? null
  const driverId = driverIdOf({ car, roster }, stops)
  const name = `${raceName}, car ${car.number}`
  return call(holder.server, 'sessions.start', { teamId: team.id, name, carId, driverId })
}

type Phone = Omit<CarOptions, 'drive'>

function phoneOf({ car, print }: CrewOptions, { server, user }: Member, sessionId: string): Phone {
  return {
    ...server,
    userId: user.id,
    sessionId,
    answers: true,
    ...(car.deadZone && { deadZone: car.deadZone }),
    onProblem: car.deadZone ? () => undefined : print,
  }
}

/** Drives with the phones of both drivers: at each stop the one of the next driver goes on, the other one stays there. */
async function driveInTurn(running: Running, phones: readonly Phone[], stopped: AbortSignal) {
  const { laps } = running
  const parked = new AbortController()
  const signal = AbortSignal.any([stopped, parked.signal])
  const work = [serve(running, signal), send(running, signal)]
  const inBoxMs = laps.stopAtMs + serviceMs
  const garage = standingAt(laps.drive, inBoxMs)
  let next = { drive: laps.drive, untilStopMs: inBoxMs }
  for (let stop = 0, isOver = false; !isOver; stop++) {
    const driven = phones.map((phone, index) =>
      startCar({ ...phone, drive: index === stop % phones.length ? next.drive : garage }),
    )
    const hasStopped = waited(next.untilStopMs, signal)
    isOver = !(await Promise.race([
      hasStopped,
      ...driven.map(({ ended }) => ended.then(() => false)),
    ]))
    await Promise.all(driven.map(each => each.stop()))
    next = {
      drive: begunAt(laps.drive, inBoxMs),
      untilStopMs: durationMs(loopOf(laps.drive)),
    }
  }
  parked.abort()
  await Promise.all(work)
}

/** Drives the session whenever no screen of a person does. */
async function drive(running: Running, stopped: AbortSignal) {
  const { holder, sessionId, laps } = running
  while (!stopped.aborted) {
    const parked = new AbortController()
    const driven = startCar({ ...phoneOf(running, holder, sessionId), drive: laps.drive })
    const signal = AbortSignal.any([stopped, parked.signal])
    const work = [serve(running, signal), send(running, signal)]
    const park = () => void driven.stop()
    stopped.addEventListener('abort', park)
    const end = await driven.ended
    stopped.removeEventListener('abort', park)
    parked.abort()
    await Promise.all([...work, driven.stop()])
    if (end.why !== 'refused' || end.code !== 'driven-elsewhere') return
    await screenClosed(running, stopped)
  }
}

/** Time in the box until the driver has changed and the car is fuelled. */
const serviceMs = 5000

/** Changes the driver and fuels the car in each stop. */
async function serve(running: Running, signal: AbortSignal) {
  const { car, sam, sessionId, laps } = running
  const roundMs = durationMs(loopOf(laps.drive))
  let waitMs = laps.stopAtMs + serviceMs
  for (let stop = 1; await waited(waitMs, signal); stop++) {
    waitMs = roundMs
    await attempt(running, async () => {
      const driverId = driverIdOf(running, stop)
      const { server } = sam
      await call(server, 'stints.add', { sessionId, stintId: crypto.randomUUID(), driverId })
      const litres = Math.round(car.stintLaps * car.burnL)
      const fill = { sessionId, fillId: crypto.randomUUID(), litres, kind: 'full' as const }
      await call(server, 'fills.add', fill)
    })
  }
}

const messageEveryMs = 35_000
const messages: readonly { readonly type: MessageType | null; readonly ask: boolean }[] = [
  { type: 'Push', ask: false },
  { type: 'Fuel', ask: true },
  { type: 'Easy', ask: false },
  { type: null, ask: false },
  { type: 'Pit', ask: true },
  { type: 'Go', ask: false },
]

/** Sends messages in turn, but none to the first car: the person at the terminal does. */
async function send(running: Running, signal: AbortSignal) {
  const { index, sam, sessionId } = running
  if (index === 0) return
  for (let turn = index; await waited(messageEveryMs, signal); turn++) {
    const message = messages[turn % messages.length]
    const commandId = crypto.randomUUID()
    if (message)
      await attempt(running, () =>
        call(sam.server, 'messages.set', { sessionId, commandId, ...message }),
      )
  }
}

const silentMs = 20_000
const lookEveryMs = 5000

/** Waits until a person's drive screen has been closed or silent for some time. */
async function screenClosed(running: Running, signal: AbortSignal) {
  const { holder, sessionId } = running
  for (let isSilent = false; !isSilent && (await waited(lookEveryMs, signal)); ) {
    await attempt(running, async () => {
      const session = await call(holder.server, 'sessions.get', { sessionId })
      isSilent = Date.now() - (session.lastDriverContactAt ?? 0) > silentMs
    })
  }
}

/** The demo continues when a call fails. */
async function attempt({ print }: Running, act: () => Promise<unknown>) {
  try {
    await act()
  } catch (error) {
    print(error instanceof Error ? error.message : String(error))
  }
}

/** Resolves with false if it was aborted. */
function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  return pause(ms, true, { signal }).catch(() => false)
}

/** The driver after a number of stops. */
function driverIdOf(
  { car, roster }: Pick<CrewOptions, 'car' | 'roster'>,
  stops: number,
): string | null {
  const driver = car.drivers[stops % car.drivers.length]
  const name = `${driver?.firstName} ${driver?.lastName}`
  return roster.drivers.find(each => each.name === name)?.id ?? null
}
