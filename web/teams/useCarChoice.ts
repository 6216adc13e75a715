import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Roster } from '#contract/roster.ts'
import { useMe } from '#web/api/login.ts'
import { activeSessionsQuery, endedSessionsQuery } from '#web/api/teamQueries.ts'
import { settingKeys } from '#web/device/stored.ts'
import { textStore } from '#web/device/textStore.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { proposedDriver } from './proposedDriver.ts'

/** The car of a new session, and its first driver; null is none, and the caller. */
interface CarChoice {
  carId: string | null
  driverId: string | null
  /** True: the phone is a spare one, and the driver in the car drives on with it. */
  keepsDriver: boolean
}

/** The last choice on this device. */
const storageKey = settingKeys.carChoice

/**
 * The choice of car and driver for a new session. The last one on this device is preselected, else the only car of the
 * team. In a car that another phone drives, the phone of a person who is not one of the drivers is a spare one, unless a
 * driver was chosen on it before.
 */
export function useCarChoice(teamId: string) {
  const { data: roster, isPending } = useRoster(teamId)
  const { data: sessions } = useQuery(activeSessionsQuery(teamId))
  const { data: ended } = useQuery(endedSessionsQuery(teamId))
  const { id: userId } = useMe()
  const [changed, setChanged] = useState<Partial<CarChoice>>({})
  const cars = roster?.cars.filter(({ archived }) => !archived) ?? []
  const drivers = roster?.drivers.filter(({ archived }) => !archived) ?? []
  const only = cars.length === 1 ? (cars[0]?.id ?? null) : null
  const stored = storedChoice(teamId)
  const remembered = existing(stored, roster)
  const first = { ...stored, carId: remembered.carId ?? only }
  const { carId, ...last } = existing({ ...first, ...changed }, roster)
  const driven = new Set(sessions?.map(({ car }) => car?.id))
  const isDriven = carId !== null && driven.has(carId)
  const isDriver = remembered.driverId !== null || drivers.some(each => each.userId === userId)
  const keepsDriver = isDriven && (changed.keepsDriver ?? !isDriver)
  const proposed =
    changed.driverId === undefined && !isDriven
      ? proposedDriver({ carId, remembered, ended, drivers, userId })
      : last.driverId
  const driverId = keepsDriver ? null : proposed
  const chosen: CarChoice = { carId, driverId, keepsDriver }
  return {
    cars,
    drivers,
    /** True until the cars of the team are known: a session started before has none. */
    isLoading: isPending,
    /** Cars with an active session. */
    driven,
    /** True if the chosen one has. */
    isDriven,
    chosen,
    /** True if one of several cars, or none, is still to be chosen. */
    isCarMissing: cars.length > 1 && carId === null && changed.carId === undefined,
    /** The number of the chosen car and the name of the chosen driver; null as in `chosen`. */
    names: {
      car: cars.find(({ id }) => id === chosen.carId)?.number ?? null,
      driver: drivers.find(({ id }) => id === chosen.driverId)?.name ?? null,
    },
    choose: (change: Partial<CarChoice>) => setChanged(now => ({ ...now, ...change })),
    remember: () => {
      const choice = { teamId, carId, driverId: keepsDriver ? remembered.driverId : driverId }
      textStore.write(storageKey, JSON.stringify(choice))
    },
  }
}

function storedChoice(teamId: string): Partial<CarChoice> {
  try {
    const stored: (Partial<CarChoice> & { teamId?: unknown }) | null = JSON.parse(
      textStore.read(storageKey) ?? 'null',
    )
    return stored?.teamId === teamId ? stored : {}
  } catch {
    return {}
  }
}

/** Leaves out cars and drivers that the team no longer has. */
function existing({ carId, driverId }: Partial<CarChoice>, roster: Roster | undefined) {
  const has = (all: Roster['cars'] | Roster['drivers'] = [], wanted: string | null | undefined) =>
    all.find(({ id, archived }) => id === wanted && !archived)?.id ?? null
  return { carId: has(roster?.cars, carId), driverId: has(roster?.drivers, driverId) }
}
