import { useState } from 'react'
import type { Roster } from '#contract/roster.ts'
import { textStore } from '#web/device/textStore.ts'
import { useRoster } from '#web/race/rosterQuery.ts'

/** The car of a new session, and its first driver; null is none, and the caller. */
interface CarChoice {
  carId: string | null
  driverId: string | null
}

/** localStorage key of the last choice on this device. */
const storageKey = 'pitboard.seat'

/**
 * The choice of car and driver for a new session. The last one on this device is preselected, else the only car of the
 * team.
 */
export function useCarChoice(teamId: string) {
  const { data: roster } = useRoster(teamId)
  const [changed, setChanged] = useState<Partial<CarChoice>>({})
  const cars = roster?.cars.filter(({ archived }) => !archived) ?? []
  const drivers = roster?.drivers.filter(({ archived }) => !archived) ?? []
  const only = cars.length === 1 ? { carId: cars[0]?.id ?? null } : {}
  const chosen = existing({ ...only, ...storedChoice(teamId), ...changed }, { cars, drivers })
  return {
    cars,
    drivers,
    chosen,
    /** The number of the chosen car and the name of the chosen driver; null as in `chosen`. */
    names: {
      car: cars.find(({ id }) => id === chosen.carId)?.number ?? null,
      driver: drivers.find(({ id }) => id === chosen.driverId)?.name ?? null,
    },
    choose: (change: Partial<CarChoice>) => setChanged(now => ({ ...now, ...change })),
    remember: () => textStore.write(storageKey, JSON.stringify({ teamId, ...chosen })),
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
function existing({ carId, driverId }: Partial<CarChoice>, { cars, drivers }: Roster): CarChoice {
  return {
    carId: cars.some(({ id }) => id === carId) ? (carId ?? null) : null,
    driverId: drivers.some(({ id }) => id === driverId) ? (driverId ?? null) : null,
  }
}
